"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.dataset.sort) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => sort(head, column));
  });

  function sort(head, column) {
    const kind = head.dataset.sort;
    const first = kind === "number" ? "descending" : "ascending";
    const other = kind === "number" ? "ascending" : "descending";
    const order = head.getAttribute("aria-sort") === first ? other : first;
    heads.forEach(each => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", order);
    table.dataset.order = kind === "rank" && order === "ascending" ? "rank" : "other";
    const sign = order === "ascending" ? 1 : -1;
    body.append(...[...body.rows].sort((a, b) => compare(a.cells[column], b.cells[column], kind, sign)));
  }
}

function compare(a, b, kind, sign) {
  const left = a.dataset.value, right = b.dataset.value;
  if (left === undefined || right === undefined) return (left === undefined) - (right === undefined);
  return sign * (kind === "text" ? left.localeCompare(right) : left - right);
}
