"use strict";
// What is behind a number, shown where it stands: a quoted figure or recorded value opens its card. Without a script its link
// leads to the card. The numbers of a page can be shown with who vouches for each.
var flopkbInspect = (() => {
  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
    node.append(...children);
    return node;
  };
  const root = () => document.body.dataset.root ?? "";

  // -- files, each loaded once --------------------------------------------------------------------------------------------
  const loading = new Map(), behind = new Map();
  window.flopkbBehind = (id, data) => behind.set(id, data);
  function script(name) {
    if (!loading.has(name)) {
      loading.set(name, new Promise((done, failed) => {
        const node = make("script", { src: `${root()}assets/${name}` });
        node.onload = done;
        node.onerror = () => failed(new Error(name));
        document.head.append(node);
      }));
    }
    return loading.get(name);
  }
  async function of(record) {
    if (!behind.has(record)) await script(`behind/${record}.js`).catch(() => behind.set(record, undefined));
    return behind.get(record);
  }
  async function judging() {
    if (!window.flopkbProgram) await script("program.js");
    if (!window.flopkb) await script("evaluate.js");
    if (!window.flopkbJudge) await script("judge.js");
    if (!window.flopkbWhatIf) await script("whatif.js");
  }

  // -- the card of a link -------------------------------------------------------------------------------------------------
  function target(link) {
    const url = new URL(link.href), anchor = decodeURIComponent(url.hash.slice(1));
    if (!/^(?:fig|fact)-/.test(anchor)) return null;
    const here = url.pathname === location.pathname;
    return { anchor, record: here ? document.body.dataset.record : url.pathname.split("/").pop().replace(/\.html$/, ""), here };
  }
  async function card({ anchor, record, here }) {
    const found = (await of(record))?.cards?.[anchor];
    if (found) return { title: found.title, body: html(found.html), data: found };
    const details = here ? document.getElementById(anchor) : null; // computed in place: its card is on this page alone
    const inside = details?.querySelector(":scope > .inside");
    return inside ? { title: details.querySelector(".name")?.textContent ?? anchor, body: inside.cloneNode(true) } : null;
  }
  // Cards are written as for the page of a record; elsewhere their links start from another place.
  function html(text) {
    const node = make("div");
    node.innerHTML = text;
    for (const link of node.querySelectorAll("a[href^='../']")) link.setAttribute("href", root() + link.getAttribute("href").slice(3));
    return node;
  }

  // -- the dialog --------------------------------------------------------------------------------------------------------
  let dialog, way = [];
  function built() {
    if (dialog) return dialog;
    const close = make("button", { type: "button", class: "close" }, "Close"), back = make("button", { type: "button", class: "back", hidden: true }, "Back");
    const title = make("h2", { id: "inspector-title" });
    dialog = make("dialog", { class: "inspector", "aria-labelledby": "inspector-title" }, make("header", {}, title, back, close), make("div", { class: "card inside", tabindex: "0" }));
    close.addEventListener("click", () => dialog.close());
    back.addEventListener("click", () => { way.pop(); show(way.at(-1)); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => { way = []; });
    document.body.append(dialog);
    return dialog;
  }
  function show(entry) {
    const { title, body, href, more } = entry;
    built().querySelector("h2").textContent = title;
    dialog.querySelector(".back").hidden = way.length < 2;
    const place = make("p", { class: "place" }, make("a", { href, class: "leads" }, "Open its place"));
    place.firstChild.addEventListener("click", () => dialog.close());
    dialog.querySelector(".card").replaceChildren(body, ...more, place);
    dialog.querySelector(".card").scrollTop = 0;
    if (!dialog.open) dialog.showModal();
  }
  async function open(link) {
    const aim = target(link), found = aim && (await card(aim));
    if (!found) { location.href = link.href; return; }
    const own = document.body.dataset.record ? await of(document.body.dataset.record) : undefined;
    const quote = link.id && own?.quotes.find((each) => each.anchor === link.id);
    const more = [];
    if (quote?.accepts && own.asks[quote.key]?.cases) more.push(later(`How far may each input move before “${quote.text}” fails?`, (place) => flopkbWhatIf.margins(place, quote, own.asks)));
    if (found.data?.value !== undefined) more.push(later("What if it were another value?", (place) => flopkbWhatIf.form(place, found.data, aim.record)));
    way.push({ ...found, href: link.href, more });
    show(way.at(-1));
  }
  // A part that is made when it is opened, since it needs the program.
  function later(title, fill) {
    const place = make("div", { role: "status" }, "…"), details = make("details", {}, make("summary", {}, title), place);
    details.addEventListener("toggle", async () => {
      if (!details.open || details.dataset.made) return;
      details.dataset.made = "yes";
      await judging();
      fill(place);
    });
    return details;
  }

  addEventListener("click", (event) => {
    const link = event.target.closest?.("a");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const asks = link.matches(".q, .leading a") || (link.closest(".inspector") && !link.matches(".leads"));
    if (!asks || !target(link)) return;
    event.preventDefault();
    open(link);
  });

  // -- who vouches for each number ---------------------------------------------------------------------------------------
  const KINDS = { figure: "computed from a figure", recorded: "a recorded value", literal: "said to be no figure", nobody: "no more than written" };
  const NUMBER = /(?<![\w.,/-])(?:[~≈]\s?)?\d[\d,.]*(?:[KMGT]i?)?(?:x|%)?(?![\w-])/g;
  function kindOf(node) {
    const link = node.closest("a.q");
    if (link) return link.matches(".q-fact") ? "recorded" : link.matches(".q-claim, .q-eq") ? "" : "figure";
    return node.closest(".lit") ? "literal" : "nobody";
  }
  function vouched() {
    const counts = { figure: 0, recorded: 0, literal: 0, nobody: 0 };
    for (const link of document.querySelectorAll("main a.q:not(.q-claim, .q-eq), main .lit")) counts[link.matches(".lit") ? "literal" : kindOf(link)]++;
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), bare = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent.closest(".prose") && !parent.closest("a, code, math, time, .lit, script, svg, .notes sup") && node.textContent.match(NUMBER)) bare.push(node);
    }
    for (const node of bare) {
      const parts = [];
      let at = 0;
      for (const found of node.textContent.matchAll(NUMBER)) {
        parts.push(node.textContent.slice(at, found.index), make("span", { class: "nobody" }, found[0]));
        at = found.index + found[0].length;
        counts.nobody++;
      }
      node.replaceWith(...parts, node.textContent.slice(at));
    }
    return counts;
  }
  function switches() {
    const prose = document.querySelector("main .prose a.q, main .prose");
    const contents = document.querySelector("main > header");
    if (!prose || !contents) return;
    const told = make("span", { class: "legend", role: "status" }), button = make("button", { type: "button", "aria-pressed": "false" }, "Show who vouches for each number");
    button.addEventListener("click", () => {
      const on = document.body.classList.toggle("vouching");
      button.setAttribute("aria-pressed", `${on}`);
      if (on && !told.firstChild) told.append(...Object.entries(vouched()).map(([kind, count]) => make("span", { class: `vouch-${kind}` }, `${count} ${KINDS[kind]}`)));
      told.hidden = !on;
    });
    contents.append(make("p", { class: "vouch" }, button, told));
  }
  addEventListener("DOMContentLoaded", switches);
  return { make, of, judging, root };
})();
