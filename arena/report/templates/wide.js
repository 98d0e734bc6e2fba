const watchWide = () => document.querySelectorAll(".wide").forEach(wide => {
  const look = () => {
    const hidden = wide.scrollWidth - wide.clientWidth;
    wide.classList.toggle("sideways", hidden > 0);
    wide.classList.toggle("more", hidden > wide.scrollLeft + 1);
  };
  new ResizeObserver(look).observe(wide);
  wide.addEventListener("scroll", look);
});
watchWide();
