// SPDX-License-Identifier: Apache-2.0
// The page: rows in program order that fold, and arcs between the rows that are visible. All text from the program gets
// in as text, never as markup.
#include "graph/page.h"

namespace pyptoc::graph {

std::string_view page_head() {
  return R"page(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>pyptoc graph</title>
<style>
:root {
  color-scheme: light dark;
  --back: #fff; --text: #1c1e21; --quiet: #62676e; --line: #d7dade; --panel: #f5f6f8; --mark: #fff1b8; --arc: #9aa0a8;
  --accent: #0b5fff; --task: #2563a8; --dispatch: #a85a00; --call: #555b64; --collective: #a02d8e; --window: #2b7a2b;
  --domain: #2b7a2b; --loop: #74601d; --if: #74601d; --scope: #74601d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #16181c; --text: #e4e6ea; --quiet: #9aa0a8; --line: #34383f; --panel: #1e2126; --mark: #4a4117; --arc: #6a7078;
    --accent: #7aa7ff; --task: #7db4f0; --dispatch: #f0ac5c; --call: #b0b6be; --collective: #e58bd6; --window: #83cf83;
    --domain: #83cf83; --loop: #d6bd67; --if: #d6bd67; --scope: #d6bd67;
  }
}
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.4 system-ui, sans-serif; color: var(--text); background: var(--back); }
header { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center;
  padding: 8px 14px; background: var(--panel); border-bottom: 1px solid var(--line); }
header h1 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
header .count { color: var(--quiet); }
header .space { flex: 1; }
input, button, select { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line);
  border-radius: 5px; padding: 3px 8px; max-width: 100%; }
button { cursor: pointer; }
main { padding: 6px 14px 60vh; }
section > h2 { font-size: 15px; margin: 18px 0 2px; overflow-wrap: anywhere; }
section > h2 .role, .parameters summary { color: var(--quiet); font-weight: normal; }
.parameters { margin: 0 0 4px; font-size: 13px; }
.parameters summary { cursor: pointer; }
.parameters table { border-collapse: collapse; margin: 4px 0 8px; }
.parameters td { padding: 0 12px 0 0; vertical-align: top; overflow-wrap: anywhere; }
.rows { position: relative; padding-left: var(--gutter); --gutter: 84px; }
.rows > svg { position: absolute; left: 0; top: 0; width: var(--gutter); height: 100%; overflow: visible;
  pointer-events: none; }
.rows path { fill: none; stroke: var(--arc); stroke-opacity: .45; }
.rows path.order { stroke-dasharray: 2 3; }
.rows path.lit { stroke: var(--accent); stroke-opacity: 1; stroke-width: 2; }
.row { display: flex; gap: 8px; align-items: baseline; padding: 1px 6px; border-radius: 4px; border: 1px solid transparent;
  margin-left: calc(var(--depth) * 16px); min-width: 0; }
.row:hover, .row:focus-within { border-color: var(--line); background: var(--panel); }
.row.near { background: var(--mark); }
.row.hit .title { text-decoration: underline 2px var(--accent); }
.fold { border: 0; background: none; padding: 0; width: 16px; flex: none; color: var(--quiet); }
.kind { flex: none; font-size: 11px; color: var(--quiet); border-left: 3px solid currentColor; padding-left: 5px; }
.title { font-weight: 600; overflow-wrap: anywhere; }
.what { min-width: 0; overflow-wrap: anywhere; }
.names .more { border: 1px solid var(--line); border-radius: 4px; padding: 0 4px; }
.detail { color: var(--quiet); overflow-wrap: anywhere; }
.names { flex: 1; min-width: 0; text-align: right; font-size: 12px; color: var(--quiet); overflow-wrap: anywhere; }
.names button { border: 0; background: none; padding: 0 2px; font: inherit; color: inherit; overflow-wrap: anywhere; }
.names button:hover, .names button.lit { color: var(--accent); text-decoration: underline; }
.nested .rows { --gutter: 52px; }
.nested { margin: 2px 0 6px 24px; border-left: 2px solid var(--line); padding-left: 6px; }
.legend { color: var(--quiet); font-size: 12px; margin: 6px 0 0; }
@media (max-width: 760px) {
  main { padding: 4px 6px 60vh; }
  .rows, .nested .rows { --gutter: 30px; }
  .what { flex: 1 1 0; min-width: 50%; }
  .row { flex-wrap: wrap; gap: 2px 6px; margin-left: calc(var(--depth) * 9px); }
  .names { flex-basis: 100%; text-align: left; padding-left: 22px; }
  .nested { margin-left: 6px; padding-left: 2px; }
  header .count { display: none; }
}
</style>
</head>
<body>
<header>
  <h1></h1><span class="count"></span><span class="space"></span>
  <select aria-label="function"></select>
  <input type="search" placeholder="find a task or tensor" aria-label="find">
  <button type="button" data-do="unfold">unfold</button>
  <button type="button" data-do="fold">fold</button>
</header>
<main></main>
<script type="application/json" id="graph">
)page";
}

std::string_view page_tail() {
  return R"page(</script>
<script>
"use strict";
const graph = JSON.parse(document.getElementById("graph").textContent);
const groups = new Set(["domain", "loop", "if", "scope"]);
const main = document.querySelector("main");
const find = document.querySelector("input");

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
const hasRows = (number) => number !== undefined && graph.functions[number].items.length > 0;

// One function shown once: at the top, or unfolded in the row of a call.
class Instance {
  constructor(number, host, level) {
    this.data = graph.functions[number];
    this.level = level;
    this.folded = new Set();
    this.nested = new Map();
    this.lit = null;
    this.children = this.data.items.map(() => 0);
    this.data.items.forEach((item) => { if (item.parent !== undefined) this.children[item.parent]++; });
    this.node = element("div", "rows");
    this.arcs = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.arcs.setAttribute("aria-hidden", "true");
    this.node.append(this.arcs);
    this.rows = this.data.items.map((item, i) => this.makeRow(item, i));
    host.append(this.node);
    this.node.instance = this;
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  depth(i) {
    let depth = 0;
    for (let at = this.data.items[i].parent; at !== undefined; at = this.data.items[at].parent) depth++;
    return depth;
  }

  makeRow(item, i) {
    const row = element("div", "row");
    row.style.setProperty("--depth", this.depth(i));
    if (item.place) row.title = item.place;
    const fold = element("button", "fold", "");
    fold.type = "button";
    const foldable = this.children[i] > 0 || hasRows(item.callee);
    if (foldable) {
      fold.textContent = this.children[i] > 0 ? "\u25be" : "\u25b8";
      fold.setAttribute("aria-label", "fold or unfold " + item.title);
      fold.setAttribute("aria-expanded", this.children[i] > 0);
      fold.addEventListener("click", () => this.toggle(i));
    } else {
      fold.tabIndex = -1;
      fold.disabled = true;
    }
    const kind = element("span", "kind", item.kind);
    kind.style.color = "var(--" + item.kind + ")";
    const what = element("span", "what");
    what.append(element("span", "title", item.title));
    if (item.detail) what.append(" ", element("span", "detail", item.detail));
    const names = element("span", "names");
    this.addNames(names, item.reads || []);
    if (item.writes) names.append("\u2192 ");
    this.addNames(names, item.writes || []);
    row.append(fold, kind, what, names);
    row.addEventListener("mouseenter", () => this.light(i));
    row.addEventListener("mouseleave", () => this.light(null));
    row.addEventListener("focusin", () => this.light(i));
    this.node.append(row);
    return row;
  }

  addNames(host, all) {
    const most = 8;
    const add = (name) => host.append(this.nameButton(name), " ");
    all.slice(0, all.length > most + 2 ? most : all.length).forEach(add);
    if (all.length <= most + 2) return;
    const more = element("button", "more", "+" + (all.length - most));
    more.type = "button";
    more.addEventListener("click", () => {
      more.replaceWith(...all.slice(most).flatMap((name) => [this.nameButton(name), " "]));
      this.draw();
    });
    host.append(more, " ");
  }

  nameButton(name) {
    const button = element("button", "", name);
    button.type = "button";
    button.addEventListener("click", () => {
      const on = !button.classList.contains("lit");
      this.node.querySelectorAll(":scope > .row > .names > button").forEach((other) => {
        other.classList.toggle("lit", on && other.textContent === name);
      });
      this.tensor = on ? name : null;
      this.draw();
    });
    return button;
  }

  // The row that stands for an item: itself, or the folded group around it.
  shown(i) {
    let found = i;
    for (let at = this.data.items[i].parent; at !== undefined; at = this.data.items[at].parent)
      if (this.folded.has(at)) found = at;
    return found;
  }

  toggle(i, open) {
    const item = this.data.items[i];
    const fold = this.rows[i].querySelector(".fold");
    let isOpen;
    if (this.children[i] > 0) {
      isOpen = open === undefined ? this.folded.has(i) : open;
      if (isOpen) this.folded.delete(i); else this.folded.add(i);
      this.rows.forEach((row, k) => { row.hidden = this.shown(k) !== k; row.style.display = row.hidden ? "none" : ""; });
      this.nested.forEach((box, k) => { box.style.display = this.shown(k) === k ? "" : "none"; });
    } else if (hasRows(item.callee)) {
      let box = this.nested.get(i);
      isOpen = open === undefined ? box === undefined : open;
      if (isOpen && box === undefined) {
        box = element("div", "nested");
        this.rows[i].after(box);
        this.nested.set(i, box);
        new Instance(item.callee, box, this.level + 1);
      } else if (!isOpen && box !== undefined) {
        box.remove();
        this.nested.delete(i);
      }
    } else {
      return;
    }
    fold.textContent = isOpen ? "\u25be" : "\u25b8";
    fold.setAttribute("aria-expanded", isOpen);
    this.draw();
  }

  light(i) {
    this.lit = i;
    this.draw();
  }

  draw() {
    const width = parseFloat(getComputedStyle(this.arcs).width);
    if (!width) return;
    const top = this.node.getBoundingClientRect().top;
    const middle = new Map();
    const at = (i) => {
      if (!middle.has(i)) {
        const box = this.rows[i].getBoundingClientRect();
        middle.set(i, box.top - top + Math.min(box.height / 2, 12));
      }
      return middle.get(i);
    };
    const near = new Set();
    const drawn = new Map();
    for (const [from, to, tensor, order] of this.data.flows) {
      const a = this.shown(from), b = this.shown(to);
      if (a === b) continue;
      const lit = this.lit === a || this.lit === b || (this.tensor && this.tensor === tensor);
      if (lit) { near.add(a); near.add(b); }
      const key = a + " " + b + " " + order;
      drawn.set(key, { a, b, order, lit: lit || (drawn.get(key) || {}).lit });
    }
    const paths = [];
    for (const { a, b, order, lit } of drawn.values()) {
      const y1 = at(a), y2 = at(b);
      const reach = Math.min(width - 6, 8 + width * 0.14 * Math.log2(Math.abs(y2 - y1) / 20 + 1));
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const x = width - 2;
      path.setAttribute("d", `M${x} ${y1}C${x - reach} ${y1} ${x - reach} ${y2} ${x} ${y2}`);
      path.setAttribute("class", (order ? "order " : "") + (lit ? "lit" : ""));
      if (lit) paths.push(path); else paths.unshift(path);
    }
    this.arcs.replaceChildren(...paths);
    this.rows.forEach((row, i) => row.classList.toggle("near", near.has(i)));
  }
}

function show(number) {
  main.replaceChildren();
  const data = graph.functions[number];
  const section = element("section");
  const head = element("h2", "", data.name + " ");
  head.append(element("span", "role", data.role));
  section.append(head);
  if (data.parameters.length > 0) {
    const parameters = element("details", "parameters");
    parameters.append(element("summary", "", data.parameters.length + " parameters"));
    const table = element("table");
    for (const p of data.parameters) {
      const row = element("tr");
      row.append(element("td", "", p.name), element("td", "", p.direction), element("td", "", p.type),
                 element("td", "", p.windows ? "in " + p.windows : ""));
      table.append(row);
    }
    parameters.append(table);
    section.append(parameters);
  }
  main.append(section);
  if (data.items.length === 0) section.append(element("p", "legend", "no tasks, dispatches or collectives in it"));
  else new Instance(number, section, 0);
  main.append(element("p", "legend", "Rows are in program order. An arc goes from a row that makes a tensor to one that " +
    "uses it; dotted: a dependency that the program states. A call unfolds into what it runs."));
  document.querySelector("select").value = number;
  search();
}

function search() {
  const wanted = find.value.trim().toLowerCase();
  document.querySelectorAll(".row").forEach((row) => {
    row.classList.toggle("hit", wanted !== "" && row.textContent.toLowerCase().includes(wanted));
  });
}

// One level at a time, because a whole model has more rows than anybody reads.
function changeAll(open) {
  const shown = [...document.querySelectorAll(".rows")].map((node) => node.instance);
  const most = 40;
  let opened = 0;
  for (const instance of shown.reverse()) {
    instance.data.items.forEach((item, i) => {
      const isCall = instance.children[i] === 0 && hasRows(item.callee);
      if (isCall ? (open ? !instance.nested.has(i) && opened++ < most : instance.nested.has(i))
                 : instance.children[i] > 0 && (open ? instance.folded.has(i) : !instance.folded.has(i) && shown.length === 1))
        instance.toggle(i, open);
    });
  }
  search();
}

document.title = graph.name + " - pyptoc graph";
document.querySelector("h1").textContent = graph.name;
const drawn = graph.functions.map((f, i) => [f, i]).filter(([f]) => !f.kernel || f.items.length > 0);
const tasks = graph.functions.reduce((sum, f) => sum + f.items.filter((item) => item.kind === "task").length, 0);
document.querySelector(".count").textContent = graph.functions.length + " functions, " + tasks + " tasks";
const select = document.querySelector("select");
for (const [f, i] of drawn) {
  const option = element("option", "", f.name + " (" + f.role + ")");
  option.value = i;
  select.append(option);
}
select.addEventListener("change", () => show(Number(select.value)));
find.addEventListener("input", search);
document.querySelectorAll("button[data-do]").forEach((button) => {
  button.addEventListener("click", () => changeAll(button.dataset.do === "unfold"));
});
if (drawn.length > 0) show(drawn[0][1]);
</script>
</body>
</html>
)page";
}

}  // namespace pyptoc::graph
