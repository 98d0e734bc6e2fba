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

  if ("filter" in table.dataset) {
    const field = document.createElement("input"), found = document.createElement("output");
    field.type = "search";
    field.placeholder = "Filter";
    field.setAttribute("aria-label", "Show only rows with these words");
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      const rows = [...body.rows];
      for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
      const shown = rows.filter(row => !row.hidden).length;
      found.textContent = field.value.trim() ? `${shown} of ${rows.length}` : "";
    });
    const bar = document.createElement("p");
    bar.className = "filter";
    bar.append(field, found);
    table.before(bar);
  }

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
