// What a change of recorded values makes of quotes: right, stale, impossible. evaluate.js computes, behind.py says for which
// values each quote is right. What Python says of the changed record is said here.
"use strict";
var flopkbJudge = ((flopkb) => {
  const { read, text, times, over, order, Refused } = flopkb;

  // -- bounds ----------------------------------------------------------------------------------------------------------
  const among = (values, value) => (values ?? []).some((each) => order(read(each), value) === 0);
  function within(band, value) {
    if (band === undefined || among(band.also, value)) return true;
    if (among(band.but, value) || (band.squared && value[0] <= 0n)) return false;
    const at = band.squared ? times(value, value) : value, least = band.open ? 1 : 0;
    return (band.low === undefined || order(at, read(band.low)) >= least) && (band.high === undefined || order(read(band.high), at) >= least);
  }
  function right(accepts, values) {
    const sorted = [...values].sort(order);
    return values.every((value) => within(accepts.each, value)) && within(accepts.least, sorted[0]) && within(accepts.greatest, sorted.at(-1));
  }

  // -- changed values ----------------------------------------------------------------------------------------------------
  // changes: {"record.path": {value, places}}, values exact and in base units.
  function changed(program, changes) {
    const records = { ...program.records };
    for (const [key, { value, places }] of Object.entries(changes)) {
      const id = key.slice(0, key.indexOf(".")), record = records[id];
      if (record === undefined) continue;
      const facts = { ...record.facts };
      for (const place of places) if (place in facts) facts[place] = value;
      const made = { ...record, facts };
      for (const [role, section] of [["mixer", "mixers."], ["feed_forward", "feed_forwards."]]) {
        if (typeof made[role] === "object") made[role] = Object.fromEntries(Object.entries(made[role]).map(([name, part]) => [name, partOf(part, `${section}${name}.`, places[0], value)]));
      }
      records[id] = made;
    }
    return { ...program, records };
  }
  function partOf(part, prefix, path, value) {
    const field = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    const facts = field in part.facts && !field.includes(".") ? { ...part.facts, [field]: value } : part.facts;
    return { ...part, facts, count: part.counted === path ? value : part.count };
  }

  // The changes with what they make of values that are derived from them; derived: those of one record, as behind.py has them.
  function spread(program, changes, id, kind, derived = []) {
    let found = changes, other = changed(program, found);
    for (let round = 0; round < 4; round++) {
      const before = found;
      for (const each of derived) {
        let value;
        try { value = text(flopkb.compute(other, id, each.tree, { [kind]: id })); } catch (error) {
          if (!(error instanceof Refused)) throw error;
          continue; // what it reads is not in the program: it stays as it is recorded
        }
        if (each.key in changes || value === (found[each.key]?.value ?? each.value)) continue;
        found = { ...found, [each.key]: { ...each, value } };
      }
      if (found === before) break;
      other = changed(program, found);
    }
    return [other, found];
  }

  // -- quotes --------------------------------------------------------------------------------------------------------
  const worth = (program, { formula, given, over: below, picked }) => {
    const found = flopkb.answer(program, formula, given, picked).value;
    return below ? over(found, flopkb.answer(program, formula, below, picked).value) : found;
  };
  const worths = (program, asked) => asked.cases.map((question) => worth(program, question));

  // Whether a change can move what is asked: it names the record, or reads its value.
  const names = (tree, id) => tree === id || (Array.isArray(tree) && tree.some((part) => names(part, id)));
  function touched(asked, changes) {
    const ids = Object.keys(changes).map((key) => key.slice(0, key.indexOf(".")));
    return asked.facts.some((fact) => fact in changes) || asked.cases.some(({ given, over: below }) => [given, below ?? {}].some((inputs) => Object.values(inputs).some((tree) => ids.some((id) => names(tree, id)))));
  }

  // {state, values, reason} of a quote; program is the changed one, asks those of the record that the quote stands in.
  function judged(program, quote, asks, changes) {
    if (quote.kind === "fact") {
      const change = changes[quote.key];
      if (change === undefined) return { state: "right" };
      const values = [read(change.value)];
      return { state: quote.accepts && right(quote.accepts, values) ? "right" : "stale", values, unit: change.unit, scale: change.scale };
    }
    const asked = asks[quote.key];
    if (asked === undefined || asked.hypothetical || !touched(asked, changes)) return { state: asked?.hypothetical ? "not judged" : "right" };
    try {
      const values = worths(program, asked);
      if (values.every((value, index) => text(value) === asked.values?.[index])) return { state: "right" };
      const good = quote.accepts ? right(quote.accepts, values) : false; // an equation names the old inputs
      return { state: good ? "right" : "stale", values, unit: asked.unit, scale: asked.scale };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { state: "impossible", reason: error.message };
    }
  }

  // -- how far an input may move ---------------------------------------------------------------------------------------
  // The least and the greatest value at which a quote is right, to some four digits; null: there is no end up to a factor of
  // 1,024. A count stays whole. inputs: [{key, value, places}] of recorded values, or {name, value} of chosen ones.
  const MOST = 10, HALVINGS = 16;
  function moved(value, exponent, whole) {
    const found = times(read(value), read(`${BigInt(Math.round(2 ** exponent * 1e6))}/1000000`));
    return whole ? [(2n * found[0] + found[1]) / (2n * found[1]), 1n] : found;
  }
  function reach(holds, sign) {
    if (holds(sign * MOST)) return null;
    let good = 0, bad = MOST;
    for (let step = 0; step < HALVINGS; step++) {
      const middle = (good + bad) / 2;
      if (holds(sign * middle)) good = middle; else bad = middle;
    }
    return sign * good;
  }
  function margins(program, quote, asks, inputs) {
    return inputs.map((input) => {
      const { key, name, value, places, whole } = input;
      const holds = (exponent) => {
        const other = text(moved(value, exponent, whole));
        if (other === value) return true;
        if (name !== undefined) return rebound(program, quote, asks, name, other);
        const changes = { [key]: { value: other, places } };
        return judged(changed(program, changes), quote, asks, changes).state === "right";
      };
      const [down, up] = [reach(holds, -1), reach(holds, 1)];
      return { ...input, down: down === null ? null : text(moved(value, down, whole)), up: up === null ? null : text(moved(value, up, whole)) };
    });
  }
  function rebound(program, quote, asks, name, value) {
    try {
      const cases = asks[quote.key].cases.map((question) => ({ ...question, given: { ...question.given, [name]: value } }));
      return right(quote.accepts, worths(program, { cases }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return false;
    }
  }
  // The inputs of what is quoted that are numbers: those that are chosen, then those that are recorded.
  function inputsOf(program, asked) {
    const formula = program.formulas[asked.cases[0].formula];
    const chosen = Object.entries(asked.cases[0].given).map(([name, value]) => {
      const key = [...formula.reads, ...formula.asks].find((each) => program.symbols[each].name === name), symbol = program.symbols[key];
      return symbol && !symbol.words && typeof value === "string" ? { name, value, unit: symbol.unit, scale: symbol.scale, whole: symbol.domain?.step !== undefined } : undefined;
    });
    return [...chosen.filter(Boolean), ...asked.inputs];
  }

  return { within, right, changed, spread, judged, touched, worths, margins, inputsOf };
})(typeof module !== "undefined" ? require("./evaluate.js") : flopkb);
if (typeof module !== "undefined") module.exports = flopkbJudge;
