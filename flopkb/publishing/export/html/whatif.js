"use strict";
// What a change of a recorded value makes of every quote, and how far an input may move: judge.js decides, this tells.
var flopkbWhatIf = (() => {
  const { make, of, root } = flopkbInspect;
  const program = () => window.flopkbProgram;
  const shown = (value, unit, scale) => flopkb.readable(program(), flopkb.read(value), unit, scale);

  // -- how far an input may move --------------------------------------------------------------------------------------------
  const few = (value) => { // four digits, for what was sought by halving
    const [n, d] = flopkb.read(value), number = Number(n) / Number(d), [digits, power] = number.toExponential(3).split("e");
    const whole = BigInt(digits.replace(".", "")), exponent = Number(power) - 3;
    return exponent < 0 ? `${whole}/${10n ** BigInt(-exponent)}` : `${whole * 10n ** BigInt(exponent)}`;
  };
  function margins(place, quote, asks) {
    const asked = asks[quote.key], found = flopkbJudge.margins(program(), quote, asks, flopkbJudge.inputsOf(program(), asked));
    const end = ({ unit, scale, whole }, value, none) => (value === null ? none : shown(whole ? value : few(value), unit, scale));
    const rows = found.map((input) => {
      const { name, key, value, unit, scale, down, up } = input;
      const cells = [shown(value, unit, scale), end(input, down, "no limit"), end(input, up, "no limit")];
      return make("tr", {}, make("th", { scope: "row" }, make("code", {}, name ?? key)), ...cells.map((text) => make("td", { class: "num" }, text)));
    });
    const heads = ["Input", "Is", "Holds from", "to"].map((text) => make("th", { scope: "col" }, text));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
    const note = make("p", { class: "note" }, "One input moves while the others stay. No limit: up to a factor of 1,024.");
    place.replaceChildren(rows.length ? make("div", { class: "scroll" }, table) : "No input is a number.", rows.length ? note : "");
  }

  // -- what if ---------------------------------------------------------------------------------------------------------
  // A number with a unit as one types it, or a multiple (2x), in base units.
  function typed(text, fact) {
    const match = /^\s*(\d[\d,]*(?:\.\d+)?)(?:e([+-]?\d{1,3}))?\s*(\S*)\s*$/i.exec(text);
    if (!match) throw new Error(`${text} is no number`);
    const [, digits, power = "0", unit] = match, [whole, decimals = ""] = digits.replace(/,/g, "").split(".");
    const exponent = Number(power) - decimals.length, ten = 10n ** BigInt(Math.abs(exponent));
    const number = flopkb.read(exponent < 0 ? `${BigInt(whole + decimals)}/${ten}` : `${BigInt(whole + decimals) * ten}`);
    if (unit === "x" || unit === "×") return flopkb.times(flopkb.read(fact.value), number);
    return flopkb.times(number, flopkb.read(scaleOf(unit, fact)));
  }
  function scaleOf(unit, fact) {
    const known = { ...fact.units, [fact.unit]: fact.scale };
    if (unit === "") return fact.units[Object.keys(fact.units)[0]] ?? fact.scale;
    if (unit in known) return known[unit];
    for (const [name, steps] of Object.entries(program().ladders)) {
      const found = steps.find(([step]) => step === unit);
      if (found && (name === fact.unit || (name === "binary" && fact.unit === "byte") || steps.some(([step]) => step in known))) return found[1];
    }
    throw new Error(`it is in ${Object.keys(known).join(" or ")}, not in ${unit}`);
  }
  function form(place, fact, record) {
    const input = make("input", { type: "text", value: fact.written, "aria-label": "Another value", spellcheck: "false" }), told = make("div", { role: "status" });
    const run = async (text) => {
      input.value = text;
      told.replaceChildren("…");
      try { told.replaceChildren(...(await judged(fact, record, typed(text, fact), text))); } catch (error) { told.replaceChildren(make("p", { class: "fault" }, error.message)); }
    };
    const button = (text, value) => {
      const made = make("button", { type: value ? "button" : "submit" }, text);
      if (value) made.addEventListener("click", () => run(value));
      return made;
    };
    const asked = make("form", { class: "whatif" }, input, button("Judge all quotes"), button("Half", "0.5x"), button("Double", "2x"));
    asked.addEventListener("submit", (event) => { event.preventDefault(); run(input.value); });
    place.replaceChildren(asked, told);
  }
  async function judged(fact, record, value, text) {
    const own = await of(record), changes = { [fact.key]: { value: flopkb.text(value), places: fact.places, unit: fact.unit, scale: fact.scale } };
    const [other, all] = flopkbJudge.spread(program(), changes, record, own.kind, own.derived);
    const found = [];
    for (const id of fact.readers) {
      const data = await of(id);
      for (const quote of data?.quotes ?? []) {
        const verdict = flopkbJudge.judged(other, quote, data.asks, all);
        if (reads(quote, data.asks, all)) found.push({ id, folder: data.folder, quote, ...verdict });
      }
    }
    mark(found, `${fact.title}: ${text}`);
    return told(found, Object.keys(all).filter((key) => !(key in changes)));
  }
  const reads = (quote, asks, changes) => quote.key in changes || (asks[quote.key]?.cases && flopkbJudge.touched(asks[quote.key], changes)) || false;

  const STATES = { stale: "stale", impossible: "impossible", right: "still right", "not judged": "not judged" };
  function told(found, derived) {
    const here = document.body.dataset.record, of = (state) => found.filter((each) => each.state === state);
    const counts = Object.keys(STATES).filter((state) => of(state).length).map((state) => `${of(state).length} ${STATES[state]}`);
    const parts = [make("p", {}, make("b", {}, found.length ? counts.join(", ") : "No quote reads it."))];
    if (derived.length) parts.push(make("p", { class: "note" }, `Derived from it, and moved with it: ${derived.join(", ")}.`));
    for (const state of ["impossible", "stale"]) {
      const ordered = of(state).sort((a, b) => (b.id === here) - (a.id === here));
      if (ordered.length) parts.push(make("h3", {}, state === "stale" ? "Stale" : "Impossible"), make("ul", {}, ...ordered.map(line)));
    }
    return parts;
  }
  function line({ id, folder, quote, values, unit, scale, reason }) {
    const now = reason ?? (values ? `now ${values.map((value) => shown(flopkb.text(value), unit, scale)).join(", ")}` : "");
    const link = make("a", { href: `${root()}${folder}/${id}.html#${quote.anchor}`, class: "leads" }, `“${quote.text}”`);
    link.addEventListener("click", () => document.querySelector("dialog.inspector")?.close());
    return make("li", {}, link, ` in ${id}: ${now}`);
  }
  // The quotes of this page are marked until the reader takes the change back.
  function mark(found, title) {
    undo();
    const here = found.filter(({ id, state }) => id === document.body.dataset.record && (state === "stale" || state === "impossible"));
    for (const { quote, state } of here) document.getElementById(quote.anchor)?.classList.add(`now-${state}`);
    if (!here.length) return;
    const back = make("button", { type: "button" }, "Take back");
    back.addEventListener("click", undo);
    document.body.append(make("aside", { class: "supposed", "aria-label": "What if" }, `What if ${title}? ${here.length} numbers of this page no longer hold. `, back));
  }
  function undo() {
    document.querySelector(".supposed")?.remove();
    for (const link of document.querySelectorAll(".now-stale, .now-impossible")) link.classList.remove("now-stale", "now-impossible");
  }
  return { margins, form };
})();
