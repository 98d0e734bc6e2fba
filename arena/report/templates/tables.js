"use strict";
const headsOf = table => [...table.tHead.rows[0].cells];

function enhance() {
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const head of headsOf(table)) if (head.dataset.sort) addButton(table, head);
    if ("filter" in table.dataset) addFilter(table);
  }
}

function addButton(table, head) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener("click", () => sort(table, head));
}

function addFilter(table) {
  const field = document.createElement("input"), found = document.createElement("output");
  field.type = "search";
  field.placeholder = "Filter";
  field.setAttribute("aria-label", "Show only rows with these words");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const rows = [...table.tBodies[0].rows];
    for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
    const shown = rows.filter(row => !row.hidden).length;
    found.textContent = field.value.trim() ? `${shown} of ${rows.length}` : "";
  });
  const bar = document.createElement("p");
  bar.className = "filter";
  bar.append(field, found);
  table.before(bar);
}

function sort(table, head) {
  const first = head.dataset.sort === "number" ? "descending" : "ascending";
  const other = head.dataset.sort === "number" ? "ascending" : "descending";
  sortBy(table, head, head.getAttribute("aria-sort") === first ? other : first);
}

function sortBy(table, head, order) {
  const heads = headsOf(table), column = heads.indexOf(head), kind = head.dataset.sort;
  heads.forEach(each => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", order);
  table.dataset.order = kind === "rank" && order === "ascending" ? "rank" : "other";
  const sign = order === "ascending" ? 1 : -1, body = table.tBodies[0];
  body.append(...[...body.rows].sort((a, b) => compare(a.cells[column], b.cells[column], kind, sign)));
}

function compare(a, b, kind, sign) {
  const left = a.dataset.value, right = b.dataset.value;
  if (left === undefined || right === undefined) return (left === undefined) - (right === undefined);
  return sign * (kind === "text" ? left.localeCompare(right) : left - right);
}

enhance();
