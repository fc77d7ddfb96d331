"use strict";
// What a page can do with a script: light or dark, sorting, filtering, unfolding, searching. All of it can be read without.
(() => {
  const root = document.documentElement;
  const stored = (key, value) => {
    try {
      if (value === undefined) return localStorage.getItem(key);
      localStorage.setItem(key, value);
    } catch { /* a browser may forbid storage; the choice then lasts as long as the page */ }
    return null;
  };
  const theme = stored("flopkb-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;

  const make = (name, text, className) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };

  function themeButton() {
    const button = document.getElementById("theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      stored("flopkb-theme", root.dataset.theme);
    });
  }

  // -- tables --------------------------------------------------------------------------------------------------------
  const keyOf = (body, column) => {
    const cell = body.rows[0].cells[column];
    const text = cell ? (cell.dataset.key ?? cell.textContent).trim() : "";
    const number = text === "" ? NaN : Number(cell.dataset.key ?? text.replace(/[,\s]/g, "").replace(/^[~≈]/, "").replace(/[x×%]$/, ""));
    return { text, number };
  };
  const compare = (a, b) => {
    if ((a.text === "") !== (b.text === "")) return a.text === "" ? 1 : -1; // what is empty stays at the end
    const both = !Number.isNaN(a.number) && !Number.isNaN(b.number);
    return both ? a.number - b.number : a.text.localeCompare(b.text, undefined, { numeric: true });
  };

  function sortable(table) {
    if (table.tBodies.length === 1) { // each row of a plain table becomes a group of its own
      const [only] = table.tBodies;
      for (const row of [...only.rows].slice(1)) table.appendChild(document.createElement("tbody")).append(row);
    }
    const groups = [...table.tBodies];
    if (groups.length < 3 || !table.tHead) return;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = make("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const keyed = groups.map((group, index) => ({ group, index, key: keyOf(group, column) }));
        keyed.sort((a, b) => {
          if ((a.key.text === "") !== (b.key.text === "")) return compare(a.key, b.key);
          return (up ? 1 : -1) * compare(a.key, b.key) || a.index - b.index;
        });
        table.append(...keyed.map((entry) => entry.group));
      });
    });
  }

  function filters() {
    for (const box of document.querySelectorAll(".filtering")) {
      const table = box.nextElementSibling?.querySelector("table");
      if (!table) continue;
      box.hidden = false;
      box.querySelector("input").addEventListener("input", (event) => {
        const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
        for (const group of table.tBodies) {
          const text = group.textContent.toLowerCase();
          group.hidden = !words.every((word) => text.includes(word));
        }
      });
    }
  }

  // -- unfolding -----------------------------------------------------------------------------------------------------
  function unfoldTarget(event) {
    let node = null;
    try { node = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* no anchor of ours */ }
    for (let up = node; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    if (node) node.scrollIntoView({ block: "start", behavior: event ? "auto" : "instant" });
  }

  function unfoldButtons() {
    for (const button of document.querySelectorAll(".unfold")) {
      const figures = button.nextElementSibling.querySelectorAll(":scope > details");
      button.hidden = false;
      button.addEventListener("click", () => {
        const open = button.textContent === "Unfold all";
        for (const figure of figures) figure.open = open;
        button.textContent = open ? "Fold all" : "Unfold all";
      });
    }
  }

  // -- search --------------------------------------------------------------------------------------------------------
  const RANK = { "workload class": 6, formula: 5, accelerator: 6, model: 6, dtype: 5, source: 3, figure: 4, value: 3, claim: 2 };
  const LONG = 60;

  function entries(base) {
    entries.asked ??= new Promise((done, failed) => {
      if (window.flopkbEntries) { done(window.flopkbEntries); return; }
      const script = document.createElement("script");
      script.src = `${base}assets/search-data.js`;
      script.onload = () => done(window.flopkbEntries);
      script.onerror = failed;
      document.head.append(script);
    });
    return entries.asked;
  }

  const plain = (text) => text.toLowerCase().replace(/[_.\-\s]+/g, " ");
  function score(entry, words) {
    const title = plain(entry[0]), shown = plain(entry[3]), [near, far = ""] = entry[4].split("\n").map(plain);
    let sum = RANK[entry[1]] ?? 0;
    for (const word of words) {
      const at = ` ${title}`.indexOf(` ${word}`);
      if (title === word) sum += 60;
      else if (at === 0) sum += 30;
      else if (at > 0) sum += 20;
      else if (title.includes(word)) sum += 12;
      else if (` ${shown}`.includes(` ${word}`)) sum += 10;
      else if (` ${near}`.includes(` ${word}`)) sum += 6;
      else if (shown.includes(word) || near.includes(word)) sum += 3;
      else if (far.includes(word)) sum += 1;
      else return 0;
    }
    return sum - title.length / 200;
  }
  function found(all, query) {
    const words = plain(query).split(" ").filter(Boolean);
    if (!words.length) return [];
    const scored = all.map((entry, index) => ({ entry, index, points: score(entry, words) })).filter((hit) => hit.points > 0);
    return scored.sort((a, b) => b.points - a.points || a.index - b.index).map((hit) => hit.entry);
  }

  function excerpt(entry, query) {
    const text = entry[4].split("\n")[1] ?? "";
    const first = query.toLowerCase().split(/\s+/).find((word) => word && text.toLowerCase().includes(word));
    if (!first) return entry[3];
    const at = text.toLowerCase().indexOf(first);
    return `${entry[3]} — …${text.slice(Math.max(0, at - 70), at + 130)}…`;
  }
  function marked(text, query) {
    const words = query.split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const node = document.createDocumentFragment();
    if (!words.length) { node.append(text); return node; }
    text.split(new RegExp(`(${words.join("|")})`, "gi")).forEach((part, index) => node.append(index % 2 ? make("mark", part) : part));
    return node;
  }
  function hit(entry, query, base, full) {
    const link = make("a", undefined, "hit");
    link.href = base + entry[2];
    link.append(make("span", entry[1], "kind"));
    const title = make("b");
    title.append(marked(entry[0], query));
    const below = make("small");
    below.append(marked(full ? excerpt(entry, query) : entry[3], query));
    link.append(title, below);
    return link;
  }

  function searchBox() {
    const input = document.getElementById("search"), list = document.getElementById("hits"), heard = document.getElementById("heard");
    const base = input.dataset.root ?? "";
    let chosen = -1, asked = 0;
    const close = () => {
      list.hidden = true;
      chosen = -1;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    };
    const choose = (index) => {
      const items = [...list.children];
      if (!items.length) return;
      chosen = (index + items.length) % items.length;
      items.forEach((item, at) => item.setAttribute("aria-selected", String(at === chosen)));
      items[chosen].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", items[chosen].id);
    };
    input.addEventListener("focus", () => entries(base).catch(() => {}), { once: true });
    input.addEventListener("input", async () => {
      const turn = ++asked, query = input.value.trim();
      if (!query) { close(); heard.textContent = ""; return; }
      const all = await entries(base).catch(() => []);
      if (turn !== asked) return;
      const hits = found(all, query).slice(0, 12);
      list.replaceChildren(...hits.map((entry, index) => {
        const item = make("li");
        item.id = `hit-${index}`;
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", "false");
        const link = hit(entry, query, base, false);
        link.tabIndex = -1;
        item.append(link);
        return item;
      }));
      heard.textContent = hits.length ? `${hits.length} hits` : "no hits";
      chosen = -1;
      list.hidden = !hits.length;
      input.setAttribute("aria-expanded", String(!list.hidden));
      input.removeAttribute("aria-activedescendant");
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && !list.hidden) { choose(chosen + 1); event.preventDefault(); }
      else if (event.key === "ArrowUp" && !list.hidden) { choose(chosen - 1); event.preventDefault(); }
      else if (event.key === "Escape") close();
      else if (event.key === "Enter" && chosen >= 0) { list.children[chosen].querySelector("a").click(); event.preventDefault(); }
    });
    list.addEventListener("click", (event) => { if (event.target.closest("a")) close(); });
    input.form.addEventListener("focusout", (event) => { if (!input.form.contains(event.relatedTarget)) close(); });
    document.addEventListener("keydown", (event) => {
      const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { input.focus(); event.preventDefault(); }
    });
  }

  async function resultsPage() {
    const list = document.getElementById("results");
    if (!list) return;
    const query = (new URLSearchParams(location.search).get("q") ?? "").trim();
    const input = document.getElementById("search");
    input.value = query;
    if (!query) { input.focus(); return; }
    const hits = found(await entries(""), query);
    document.getElementById("summary").textContent = `${hits.length} ${hits.length === 1 ? "hit" : "hits"} for “${query}”${hits.length > LONG ? `, the best ${LONG} shown` : ""}`;
    list.replaceChildren(...hits.slice(0, LONG).map((entry) => {
      const item = make("li");
      item.append(hit(entry, query, "", true));
      return item;
    }));
  }

  addEventListener("DOMContentLoaded", () => {
    themeButton();
    document.querySelectorAll("table.sortable").forEach(sortable);
    filters();
    unfoldButtons();
    searchBox();
    resultsPage();
    if (location.hash) unfoldTarget();
  });
  addEventListener("hashchange", unfoldTarget);
})();
