"use strict";
// Sorts and filters the rows that are there. Nothing is fetched and nothing is made of text.
(() => {
  const body = document.querySelector("tbody");
  const rows = [...body.rows];
  const task = document.getElementById("task");
  const sort = document.getElementById("sort");
  let down = false;

  const valueOf = (row, column) => {
    const cell = row.querySelector(`[data-column="${column}"]`);
    const shown = column.startsWith("f-") ? cell.querySelector("div:not([hidden])") : cell;
    return shown?.dataset.value ?? "";
  };

  const compare = (one, other) => {
    const [a, b] = [valueOf(one, sort.value), valueOf(other, sort.value)];
    if (a === "" || b === "") return (a === "") - (b === ""); // what was not measured comes last, either way
    const order = sort.value.startsWith("f-") ? a - b : a.localeCompare(b, "en", { numeric: true });
    return down ? -order : order;
  };

  const show = () => {
    for (const each of document.querySelectorAll("td [data-task]")) each.hidden = each.dataset.task !== task.value;
    for (const each of document.querySelectorAll("[data-of]")) each.hidden = task.value !== "" && each.dataset.of !== task.value;
    for (const row of rows) row.hidden = task.value !== "" && !row.dataset.tasks.split(" ").includes(task.value);
    for (const head of document.querySelectorAll('thead [data-column^="f-"]')) {
      const { column } = head.dataset; // a faculty that the task does not measure needs no column
      const has = rows.some((row) => !row.hidden && valueOf(row, column) !== "");
      for (const cell of document.querySelectorAll(`[data-column="${column}"]`)) cell.hidden = !has;
    }
    rows.sort(compare);
    body.append(...rows);
    for (const head of document.querySelectorAll("thead th")) {
      if (head.dataset.column === sort.value) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    const count = rows.filter((row) => !row.hidden).length;
    document.getElementById("shown").textContent = `${count} of ${rows.length} rows`;
  };

  for (const head of document.querySelectorAll("thead th")) {
    head.querySelector("button").addEventListener("click", () => {
      down = sort.value === head.dataset.column && !down;
      sort.value = head.dataset.column;
      show();
    });
  }
  task.addEventListener("change", show);
  sort.addEventListener("change", () => { down = false; show(); });
  document.getElementById("turn").addEventListener("click", () => { down = !down; show(); });
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  show();
})();
