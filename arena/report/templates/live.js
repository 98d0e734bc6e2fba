"use strict";
{
  const said = document.getElementById("live"), { root } = document.currentScript.dataset;
  const tables = () => [...document.querySelectorAll("table.sortable")];
  let version = null, text = null;

  // What the reader chose in a page: its filter, the order of each table, what is unfolded.
  function choices() {
    return {
      words: tables().map(table => table.parentElement.querySelector("[type=search]")?.value),
      orders: tables().map(table => headsOf(table).map(head => head.getAttribute("aria-sort"))),
      open: [...document.querySelectorAll("details")].map(part => part.open),
    };
  }

  function choose({ words, orders, open }) {
    tables().forEach((table, n) => {
      headsOf(table).forEach((head, column) => {
        const order = (orders[n] || [])[column];
        if (order && order !== head.getAttribute("aria-sort")) sortBy(table, head, order);
      });
      const field = table.parentElement.querySelector("[type=search]");
      if (field && words[n]) {
        field.value = words[n];
        field.dispatchEvent(new Event("input"));
      }
    });
    document.querySelectorAll("details").forEach((part, n) => { part.open = open[n] ?? part.open; });
  }

  // A game never changes; of other pages the middle is put in place again, as the reader had it.
  async function renew() {
    const answer = await fetch(location.href, { cache: "no-cache" }), now = await answer.text();
    const old = document.querySelector("main");
    if (!answer.ok || now === text) return;
    text = now;
    const kept = choices(), focus = [...old.querySelectorAll("*")].indexOf(document.activeElement);
    old.replaceWith(new DOMParser().parseFromString(now, "text/html").querySelector("main"));
    enhance();
    watchWide();
    choose(kept);
    if (focus >= 0) document.querySelectorAll("main *")[focus]?.focus({ preventScroll: true });
  }

  async function follow() {
    let pause = document.hidden ? 20000 : 2000;
    try {
      const now = await (await fetch(`${root}progress.json`, { cache: "no-store" })).json();
      if (said.textContent !== now.words) said.textContent = now.words;
      if (version !== now.version && !document.getElementById("replay")) await renew();
      version = now.version;
    } catch {
      said.textContent = "The server does not answer: what is shown may be old.";
      pause = 10000;
    }
    setTimeout(follow, pause);
  }
  follow();
}
