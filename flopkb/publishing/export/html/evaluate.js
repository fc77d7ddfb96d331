// Formulas of the base computed in a page, exactly: whole numbers of any length, and fractions of them.
// It reads what program.py writes. What is refused there is refused here, for the same reason.
"use strict";
var flopkb = (() => {
  // -- fractions: [numerator, denominator], the denominator positive, nothing left to cancel ---------------------------
  const abs = (n) => (n < 0n ? -n : n);
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };
  const fraction = (n, d = 1n) => {
    if (d < 0n) [n, d] = [-n, -d];
    const g = gcd(abs(n), d);
    return g > 1n ? [n / g, d / g] : [n, d];
  };
  const read = (text) => {
    const [n, d = "1"] = text.split("/");
    return fraction(BigInt(n), BigInt(d));
  };
  const plus = (a, b) => fraction(a[0] * b[1] + b[0] * a[1], a[1] * b[1]);
  const minus = (a, b) => fraction(a[0] * b[1] - b[0] * a[1], a[1] * b[1]);
  const times = (a, b) => fraction(a[0] * b[0], a[1] * b[1]);
  const over = (a, b) => fraction(a[0] * b[1], a[1] * b[0]);
  const order = (a, b) => { const d = a[0] * b[1] - b[0] * a[1]; return d < 0n ? -1 : d > 0n ? 1 : 0; };
  const floor = (a) => (a[0] >= 0n || a[0] % a[1] === 0n ? a[0] / a[1] : a[0] / a[1] - 1n);
  const ceil = (a) => -floor([-a[0], a[1]]);
  const power = (a, n) => (n < 0n ? fraction(a[1] ** -n, a[0] ** -n) : fraction(a[0] ** n, a[1] ** n));
  const text = (a) => (a[1] === 1n ? `${a[0]}` : `${a[0]}/${a[1]}`);
  const ZERO = [0n, 1n], ONE = [1n, 1n];
  const COMPARED = {
    "==": (d) => d === 0, "!=": (d) => d !== 0, "<": (d) => d < 0, "<=": (d) => d <= 0, ">": (d) => d > 0, ">=": (d) => d >= 0,
  };
  const WANTED = { "==": "equal to", "!=": "other than", "<": "below", "<=": "at most", ">": "above", ">=": "at least" };

  // -- why there is no value -----------------------------------------------------------------------------------------
  class Refused extends Error {
    constructor(kind, message, names = []) {
      super(message);
      this.kind = kind; // missing, not covered, not applicable, outside, zero, unavailable, unreadable
      this.names = names;
    }
  }
  const missing = (...names) => new Refused("missing", `it needs ${names.join(", ")}`, names);
  const unavailable = (message) => new Refused("unavailable", message);

  // -- frames: in which mixer, feed-forward block and calls something is read ----------------------------------------------
  class Frame {
    constructor(parts = {}, levels = []) { this.parts = parts; this.levels = levels; this.known = new Map(); }
    kept(key, make) {
      if (!this.known.has(key)) this.known.set(key, make());
      return this.known.get(key);
    }
    at(role, name) { return this.kept(`${role}:${name}`, () => new Frame({ ...this.parts, [role]: name }, this.levels)); }
    inside(call) { return this.kept(call, () => new Frame(this.parts, [...this.levels, new Map(call.slice(2))])); }
    // Without the calls that do not bind a symbol: there it is what it is outside of them, and so is what it is a multiple of.
    binding(key) { return this.kept(`binds ${key}`, () => new Frame(this.parts, this.levels.filter((level) => level.has(key)))); }
    outside(place) { return this.kept(place, () => new Frame(this.parts, this.levels.slice(0, place))); }
  }

  // -- one question ----------------------------------------------------------------------------------------------------
  // given: by role the id of a record (or the name of a part), by symbol a number or, where a figure has one, a tree.
  // picked: stand-ins for what cancels in a ratio, whatever it is.
  class Question {
    constructor(program, formula, given, picked = {}) {
      this.picked = picked;
      this.program = program;
      this.formula = formula;
      this.owner = formula.slice(0, formula.indexOf("."));
      this.given = given;
      this.root = new Frame();
      this.found = new Map(); // by frame, then by formula or symbol
      this.computed = [];     // every formula on the way, with its frame: [name, frame, value]
      this.symbols = new Map(); // every symbol that was read: key -> [frame, value] of each
      this.taken = new Map(); // every recorded value that was read: "record.path" -> value
      this.lines = new Set(); // what was assumed of recorded values
      this.open = new Set();
    }

    own(key) { return this.program.symbols[key].shared || key.startsWith(`${this.owner}.`); }
    binding(key, bare) { return !bare && this.own(key) ? this.given[this.program.symbols[key].name] : undefined; }
    model() {
      const id = this.given.model;
      if (id === undefined) throw missing("model");
      const record = this.program.records[id];
      if (record === undefined || record.kind !== "model") throw unavailable(`${id} is no model`);
      return record;
    }

    // - formulas -
    value(name, frame) {
      const memo = this.memo(frame);
      if (memo.has(name)) return memo.get(name);
      if (this.open.has(name) && this.open.size > 500) throw new Refused("unreadable", `${name} is defined by itself`);
      this.open.add(name);
      const value = this.tree(this.chosen(name, frame), frame);
      this.open.delete(name);
      memo.set(name, value);
      this.computed.push([name, frame, value]);
      return value;
    }
    memo(frame) {
      if (!this.found.has(frame)) this.found.set(frame, new Map());
      return this.found.get(frame);
    }
    chosen(name, frame) {
      const { cases } = this.program.formulas[name];
      if (cases[0][0] === null) return cases[0][1];
      const holding = cases.filter(([when]) => this.holds(when, frame));
      if (holding.length === 1) return holding[0][1];
      if (holding.length) throw new Refused("not covered", `several cases of ${name} hold`);
      const about = [...new Set(cases.flatMap(([when]) => this.words(when, frame)))].slice(0, 3);
      const where = [this.given.model, frame.parts.mixer, frame.parts.feed_forward].filter(Boolean).join(".");
      throw new Refused("not covered", `${name} has no case for ${about.join(", ")}${where ? ` (${where})` : ""}`);
    }

    // - expressions -
    tree(node, frame, bare = null) {
      if (typeof node === "string") return read(node);
      switch (node[0]) {
        case "f": return this.value(node[1], frame);
        case "s": return this.symbol(node[1], frame, node[1] === bare);
        case "v": return this.recorded(node, frame);
        case "has": return this.has(node[1], frame) ? ONE : ZERO;
        case "call": return this.value(node[1], frame.inside(node));
        case "sum": return this.sum(node, frame, bare);
        case "*": if (this.nothing(node[1], frame) || this.nothing(node[2], frame)) return ZERO;
      }
      return this.joined(node, this.each(node.slice(1), (part) => this.tree(part, frame, bare)));
    }
    // All parts, even where one lacks an input: who asks wants to know of all that is missing.
    each(parts, take) {
      const names = [], made = [];
      for (const part of parts) {
        try { made.push(take(part)); } catch (error) {
          if (error.kind !== "missing") throw error;
          names.push(...error.names);
        }
      }
      if (names.length) throw missing(...new Set(names));
      return made;
    }
    // A factor that is 0 because something is not recorded asks nothing of the others.
    nothing(node, frame) {
      const value = this.settled(node, frame);
      return value !== undefined && value[0] === 0n;
    }
    settled(node, frame) {
      if (typeof node === "string") return read(node);
      if (node[0] === "has") return this.has(node[1], frame) ? ONE : ZERO;
      if (node.length !== 3 || !"+-*".includes(node[0])) return undefined;
      const [left, right] = [this.settled(node[1], frame), this.settled(node[2], frame)];
      if (node[0] === "*" && (left?.[0] === 0n || right?.[0] === 0n)) return ZERO;
      return left && right ? this.joined(node, [left, right]) : undefined;
    }
    joined(node, [a, b, ...rest]) {
      switch (node[0]) {
        case "+": return this.bounded(plus(a, b));
        case "-": return b === undefined ? minus(ZERO, a) : this.bounded(minus(a, b));
        case "*": return this.bounded(times(a, b));
        case "/": if (b[0] === 0n) throw new Refused("zero", "a denominator is 0"); return this.bounded(over(a, b));
        case "**": return this.raised(a, b);
        case "min": return [b, ...rest].reduce((x, y) => (order(y, x) < 0 ? y : x), a);
        case "max": return [b, ...rest].reduce((x, y) => (order(y, x) > 0 ? y : x), a);
        case "ceil": return [ceil(a), 1n];
        case "floor": return [floor(a), 1n];
      }
      throw new Refused("unreadable", `this page cannot compute ${node[0]}`);
    }
    raised(a, b) {
      if (b[1] !== 1n) throw new Refused("unreadable", `${text(b)} is no whole exponent`);
      if (b[0] < 0n && a[0] === 0n) throw new Refused("zero", "a denominator is 0");
      const bits = Math.max(...[abs(a[0]), a[1]].map((n) => (n ? n.toString(2).length : 0))) - 1;
      if (abs(b[0]) > 65536n || bits * Number(abs(b[0])) > this.program.bits) throw new Refused("unreadable", "the numbers grow too large");
      return this.bounded(power(a, b[0]));
    }
    bounded(value) {
      const most = 1n << BigInt(this.program.bits);
      if (abs(value[0]) >= most || value[1] >= most) throw new Refused("unreadable", "the numbers grow too large");
      return value;
    }
    sum([, role, term], frame, bare) {
      if (this.given.model === undefined && this.given[`${role}_type`] !== undefined) {
        return times(this.tree(this.program.layers ? ["s", this.program.layers] : ["v", "model", "num_hidden_layers", ""], this.root), this.tree(term, frame, bare));
      }
      const parts = Object.entries(this.partsOf(role));
      const terms = this.each(parts, ([name, part]) => times(this.told(part.count), this.tree(term, frame.at(role, name), bare)));
      return terms.reduce((a, b) => this.bounded(plus(a, b)), ZERO);
    }

    // - conditions -
    holds(node, frame) {
      switch (node[0]) {
        case "and": return node.slice(1).every((part) => this.holds(part, frame));
        case "or": return node.slice(1).some((part) => this.holds(part, frame));
        case "not": return !this.holds(node[1], frame);
        case "in": return node[2].includes(this.word(node[1], frame));
        case "flag": return this.tree(node[1], frame)[0] !== 0n;
      }
      const [left, right] = this.each(node.slice(1), (side) => this.tree(side, frame));
      return COMPARED[node[0]](order(left, right));
    }
    words(node, frame) {
      if (node[0] === "in") return [`${this.program.symbols[node[1]].name} ${this.word(node[1], frame)}`];
      return ["and", "or", "not"].includes(node[0]) ? node.slice(1).flatMap((part) => this.words(part, frame)) : [];
    }
    word(key, frame) {
      const bound = this.binding(key), symbol = this.program.symbols[key];
      if (bound !== undefined) {
        if (!symbol.words.includes(bound)) throw unavailable(`${symbol.name} is never ${bound}`);
        return bound;
      }
      const [, role, path] = symbol.from[0];
      if (this.given.model === undefined) throw missing(symbol.name, "model");
      const part = this.part(role, frame);
      const found = path === "type" ? part.type : part.words[path];
      if (found === undefined) throw unavailable(`${this.given.model} records no ${path}; record it`);
      return found;
    }

    // - symbols -
    symbol(key, frame, bare = false) {
      const value = this.standing(key, frame, bare), readings = this.symbols.get(key) ?? [];
      readings.push([frame, value]);
      this.symbols.set(key, readings);
      return value;
    }
    standing(key, frame, bare) {
      const symbol = this.program.symbols[key];
      for (let place = frame.levels.length - 1; place >= 0; place--) {
        const body = frame.levels[place].get(key);
        if (body !== undefined) return this.bound(symbol, body, frame.outside(place));
      }
      const given = this.binding(key, bare);
      if (given !== undefined) return this.bound(symbol, given, frame.outside(0), key);
      if (symbol.value !== undefined) return this.told(symbol.value);
      if (key in this.picked) return read(this.picked[key]);
      if (symbol.from === undefined) throw missing(this.own(key) ? symbol.name : key);
      return this.sourced(symbol, frame);
    }
    // What a symbol is bound to; an expression in numbers alone counts in the unit of the symbol.
    bound(symbol, body, frame, bare = null) {
      const value = this.tree(body, frame, bare);
      return named(body) || (bare !== null && typeof body === "string") ? value : times(value, read(symbol.scale));
    }
    sourced(symbol, frame) {
      let first;
      for (const source of symbol.from) {
        const [value, lacks] = this.looked(source, frame);
        if (value !== undefined) {
          if (first) this.lines.add(`${symbol.name} is the ${source[2]} of ${this.given[source[1]]}, which records no ${symbol.from[0][2]}`);
          return value;
        }
        first ??= lacks;
      }
      if (symbol.else !== undefined) return this.bound(symbol, symbol.else, frame);
      throw first;
    }
    // A recorded value, or the error that says that it is simply not there; every other error is thrown.
    looked(source, frame) {
      const [, holder, path] = source;
      const family = holder in PARTS && this.given.model === undefined && this.given[`${holder}_type`] !== undefined;
      if (family) return [undefined, missing("model")];
      try { return [this.recorded(source, frame), undefined]; } catch (error) {
        if (error.kind !== "unavailable" || !error.absent) throw error;
        return [undefined, error];
      }
    }
    has(key, frame) {
      const symbol = this.program.symbols[key];
      if (this.binding(key) !== undefined || frame.levels.some((level) => level.has(key)) || symbol.value !== undefined) return true;
      return (symbol.from ?? []).some((source) => this.records(source, frame));
    }
    records([kind, holder, path, index], frame) {
      if (holder in PARTS) {
        if (this.given.model === undefined) return false;
        const part = this.part(holder, frame);
        return path === "type" || path in part.facts || path in part.words;
      }
      try { this.recorded([kind, holder, path, index], frame); return true; } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return false;
      }
    }

    // - recorded values -
    recorded([, holder, path, index], frame) {
      const picked = this.picked[index ? `${holder}.${path}[${index}]` : `${holder}.${path}`];
      if (picked !== undefined) return read(picked);
      if (holder in PARTS) return this.ofPart(holder, path, frame);
      const own = holder === "state_dtype" || holder === "conv_dtype" ? this.ownDtype(holder, frame) : undefined;
      const lacking = [holder, index].filter((name) => name in this.program.roles && this.given[name] === undefined && !(name === holder && own));
      if (lacking.length) throw missing(...lacking);
      const id = this.given[holder] ?? own ?? holder, record = this.program.records[id];
      if (record === undefined || (holder in this.program.roles && record.kind !== this.program.roles[holder])) throw unavailable(`${id} is no ${this.program.roles[holder]}`);
      if (own && this.given[holder] && own !== id) this.lines.add(`${holder} is ${id} as asked, where the model says ${own}`);
      const place = index ? `${path}.${this.given[index] ?? index}` : path, found = record.facts[place];
      if (found === undefined) {
        const what = index ? `${path} for ${this.given[index] ?? index}` : path;
        throw Object.assign(unavailable(`${id} records no ${what}`), { absent: !index });
      }
      const value = this.told(found);
      if (record.codes?.includes(path)) this.lines.add(`scales not counted: ${id}.${path} is the code alone`);
      this.taken.set(`${id}.${place}`, value);
      return value;
    }
    told(found) {
      if (typeof found === "string") return read(found);
      throw unavailable(found.no);
    }
    ofPart(role, path, frame) {
      const record = this.model(), part = this.part(role, frame), found = part.facts[path];
      if (found === undefined) throw Object.assign(unavailable(`${this.given.model} records no ${path} for its layers (${part.type})`), { absent: !(path in part.words) });
      const value = this.told(found);
      this.taken.set(`${this.given.model}.${PARTS[role]}.${path}`, value);
      return value;
    }
    ownDtype(role, frame) {
      if (this.given.model === undefined) return undefined;
      try { return this.part("mixer", frame).words[role]; } catch (error) {
        if (error instanceof Refused) return undefined;
        throw error;
      }
    }
    partsOf(role) {
      const parts = this.model()[role];
      if (typeof parts === "string") throw unavailable(parts);
      return parts;
    }
    part(role, frame) {
      const parts = this.partsOf(role), names = Object.keys(parts), name = frame.parts[role] ?? this.given[role];
      if (name !== undefined && name in parts) return parts[name];
      if (name !== undefined) throw unavailable(`${this.given.model} has no ${SAID[role]} ${name}; it has ${names.join(", ")}`);
      if (names.length === 1) return parts[names[0]];
      throw unavailable(names.length ? `${this.given.model} has the ${SAID[role]}s ${names.join(", ")}; say which` : `no layer of ${this.given.model} has a ${SAID[role]}`);
    }

    // - domains -
    inDomains() {
      for (const key of [...this.symbols.keys()]) {
        const symbol = this.program.symbols[key], limits = symbol.domain ? [symbol.domain] : [];
        const records = new Set(this.computed.filter(([name]) => this.program.formulas[name].reads.includes(key)).map(([name]) => name.split(".")[0]));
        for (const record of records) limits.push(...[this.program.narrowed[record]?.[key]].filter(Boolean));
        for (const [frame, value] of [...this.symbols.get(key)]) for (const limit of limits) this.inDomain(symbol, limit, value, typeof this.binding(key) === "string" ? this.root : frame.binding(key));
      }
    }
    inDomain(symbol, limit, value, frame) {
      if (within(limit, value) && this.multiple(symbol, limit, value, frame)) return;
      const told = decimal(over(value, read(symbol.scale)));
      throw new Refused("outside", `${symbol.name} = ${told} is outside its domain: ${limit.text}${limit.in ? ` in ${limit.in}` : ""}`);
    }
    multiple(symbol, limit, value, frame) {
      if (limit.of === undefined) return true;
      let factor;
      try { factor = over(this.standing(limit.of, frame, false), read(this.program.symbols[limit.of].scale)); } catch (error) {
        if (error instanceof Refused) return true;
        throw error;
      }
      return factor[0] === 0n || over(value, times(factor, read(symbol.scale)))[1] === 1n;
    }

    // - what must hold, and what is assumed -
    examined() {
      const seen = new Set(), assumed = new Set();
      let unmet;
      this.picked = {};
      for (let at = 0; at < this.computed.length; at++) {
        const [name, frame] = this.computed[at], { requires = [], assumes = [], seeks } = this.program.formulas[name];
        for (const asked of [...(seeks ? [seeks[1]] : []), ...requires, ...assumes]) {
          for (const [detail, unknown] of this.shortfalls(asked, frame)) {
            const words = unknown ? `it is not known whether ${asked.text}` : asked.words;
            if (!requires.includes(asked)) assumed.add(unknown ? `not known whether ${asked.text} (${detail}); if not: ${asked.words}` : `${words} (${detail})`);
            else if (!seen.has(words + detail)) unmet ??= new Refused("not applicable", `${words}: ${detail}`);
            seen.add(words + detail);
          }
        }
      }
      return [unmet, [...assumed]];
    }
    shortfalls(asked, frame) {
      let frames = [frame];
      try {
        if (asked.each) frames = this.given.model === undefined && this.given[`${asked.each}_type`] !== undefined ? [frame] : Object.keys(this.partsOf(asked.each)).map((name) => frame.at(asked.each, name));
        if (asked.when) frames = frames.filter((each) => this.holds(asked.when, each));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return error.kind === "missing" && error.names.some((name) => name in this.program.roles) ? [] : [[error.message, true]];
      }
      const found = new Map();
      for (const each of frames) {
        const lack = this.shortfall(asked, each);
        if (lack) found.set(`${lack}`, [lack, [...(found.get(`${lack}`)?.[1] ?? []), each.parts[asked.each]].filter(Boolean)]);
      }
      return [...found.values()].map(([[detail, unknown], parts]) => [parts.length && asked.each ? `${detail} (${asked.each} ${parts.join(", ")})` : detail, unknown]);
    }
    shortfall(asked, frame) {
      try {
        if (asked.types) return this.holds(asked.types, frame) ? undefined : [[...new Set(this.typed(asked.types, frame))].join(", "), false];
        for (const [op, a, left, b, right] of this.sides(asked, frame)) {
          if (COMPARED[op](order(a, b))) continue;
          if (left[0][0] === "has") return [`nothing gives ${left[1].slice(4, -1)}`, false];
          const known = typeof right[0] === "string" ? "" : `, which is ${readable(this.program, b, right[2], right[3])}`;
          return [`${left[1]} is ${readable(this.program, a, left[2], left[3])}, not ${WANTED[op]} ${right[1]}${known}`, false];
        }
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.kind !== "missing") return [error.message, true];
        return asked.types || error.names.some((name) => name in this.program.roles) ? undefined : [`that needs ${error.names.join(", ")}`, true];
      }
    }
    // Both sides of each comparison. Where one lacks an input nothing was read: what was is forgotten.
    sides(asked, frame) {
      const [before, lines] = [this.computed.length, new Set(this.lines)];
      try {
        return this.each(asked.parts, ([op, left, right]) => {
          const [a, b] = this.each([left, right], (side) => this.tree(side[0], frame));
          return [op, a, left, b, right];
        });
      } catch (error) {
        if (error.kind === "missing") {
          for (const [name, where] of this.computed.splice(before)) this.memo(where).delete(name);
          this.lines = lines;
        }
        throw error;
      }
    }
    typed(node, frame) {
      return this.words(node, frame).map((told) => told.replace(" ", " is "));
    }
  }
  const PARTS = { mixer: "mixers", feed_forward: "feed_forwards" };
  const SAID = { mixer: "mixer", feed_forward: "feed-forward block" };
  const named = (node) => Array.isArray(node) && (["f", "s", "v", "has", "call", "sum"].includes(node[0]) || node.slice(1).some(named));
  const within = (limit, value) => {
    if (limit.one_of) return limit.one_of.some((each) => order(read(each), value) === 0);
    return order(value, read(limit.from)) >= 0 && order(value, read(limit.to)) <= 0 && (limit.step === undefined || over(value, read(limit.step))[1] === 1n);
  };

  // -- answers -----------------------------------------------------------------------------------------------------------
  // {value, unit, scale, text, steps, taken, assumes}, or a Refused is thrown.
  function answer(program, formula, given, picked = {}) {
    const linked = program.formulas[formula];
    if (linked === undefined) throw unavailable(`there is no formula ${formula}`);
    const asked = new Question(program, formula, linked.seeks ? { ...given, [program.symbols[linked.seeks[0]].name]: greatest(program, formula, given) } : given, picked);
    const value = asked.value(formula, asked.root);
    asked.inDomains();
    const [unmet, assumed] = asked.examined();
    if (unmet) throw unmet;
    if (linked.counts && value[0] < 0n) throw new Refused("not applicable", `there is no such count: it would be ${readable(program, value, linked.unit, linked.scale)}`);
    return { value, exact: text(over(value, read(linked.scale))), unit: linked.unit, text: spokenAnswer(program, value, linked.unit, linked.scale), steps: asked.computed, taken: asked.taken, symbols: asked.symbols, assumes: [...asked.lines, ...assumed] };
  }

  // What an expression comes to in a record, as of what derives one of its values.
  const compute = (program, id, tree, given) => {
    const asked = new Question(program, `${id}.`, given);
    return asked.tree(tree, asked.root);
  };

  // The greatest value of a symbol at which a condition holds, found by halving.
  function greatest(program, formula, given) {
    const [key, asked] = program.formulas[formula].seeks, symbol = program.symbols[key];
    const limits = [symbol.domain, ...[program.narrowed[formula.split(".")[0]]?.[key]]].filter(Boolean);
    const low = limits.map((limit) => read(limit.from)).reduce((a, b) => (order(a, b) < 0 ? b : a));
    const high = limits.map((limit) => read(limit.to)).reduce((a, b) => (order(a, b) < 0 ? a : b));
    const step = limits.map((limit) => limit.step).filter(Boolean).map(read)[0];
    const free = { ...given };
    delete free[symbol.name];
    const lacks = (value) => new Question(program, formula, { ...free, [symbol.name]: text(value) }).shortfallThrown(asked);
    const first = times([ceil(over(low, step)), 1n], step), last = times([floor(over(high, step)), 1n], step);
    const never = lacks(first);
    if (never) throw new Refused("not applicable", `${asked.words}: even at ${symbol.name} = ${decimal(over(first, read(symbol.scale)))} ${never}`);
    if (!lacks(last)) throw new Refused("not applicable", `no limit up to ${decimal(over(last, read(symbol.scale)))} ${symbol.unit}: ${asked.text} at every ${symbol.name}`);
    let [good, bad] = [over(first, step)[0], over(last, step)[0]];
    while (bad - good > 1n) {
      const middle = (good + bad) / 2n;
      if (lacks(times([middle, 1n], step))) bad = middle; else good = middle;
    }
    return text(times([good, 1n], step));
  }
  // Why the condition of a search does not hold at one value; an input that is missing is missing.
  Question.prototype.shortfallThrown = function (asked) {
    for (const [op, left, right] of asked.parts) {
      const [a, b] = this.each([left, right], (side) => this.tree(side[0], this.root));
      if (!COMPARED[op](order(a, b))) return `${left[1]} is ${readable(this.program, a, left[2], left[3])} and ${right[1]} ${readable(this.program, b, right[2], right[3])}`;
    }
    return "";
  };

  // -- numbers for people: the rules of numbers/writing.py ---------------------------------------------------------------
  const TEN = (n) => (n < 0 ? [1n, 10n ** BigInt(-n)] : [10n ** BigInt(n), 1n]);
  const size = (a) => [abs(a[0]), a[1]];
  const magnitude = (a) => {
    let guess = abs(a[0]).toString().length - a[1].toString().length;
    while (order(TEN(guess), size(a)) > 0) guess--;
    while (order(TEN(guess + 1), size(a)) <= 0) guess++;
    return guess;
  };
  const rounded = (a, decimals) => {
    const scaled = times(size(a), TEN(decimals));
    const whole = (2n * scaled[0] + scaled[1]) / (2n * scaled[1]);
    const digits = `${whole}`.padStart(decimals + 1, "0");
    const sign = a[0] < 0n && whole ? "-" : "";
    return sign + (decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits);
  };
  const shortest = (a, digits) => {
    const power = magnitude(a);
    let decimals = Math.max(0, 11 - power);
    if (times(a, TEN(decimals))[1] !== 1n) decimals = Math.max(0, digits - 1 - power);
    const told = rounded(a, decimals);
    return decimals ? told.replace(/0+$/, "").replace(/\.$/, "") : told;
  };
  function decimal(a, digits = 6, exponent = true) {
    if (a[1] === 1n && abs(a[0]) < 10n ** 12n) return `${a[0]}`;
    const sign = a[0] < 0n ? "-" : "", power = magnitude(a);
    if (exponent && (power >= 15 || power < -6)) {
      const mantissa = shortest(over(size(a), TEN(power)), digits);
      return mantissa === "10" ? `${sign}1e${power + 1}` : `${sign}${mantissa}e${power}`;
    }
    return sign + shortest(size(a), digits);
  }
  const grouped = (told) => {
    const [, sign, whole, rest] = /^(-?)(\d*)(.*)$/s.exec(told);
    return sign + (whole.startsWith("0") ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",")) + rest;
  };
  const ends = (a, digits) => times(a, TEN(digits - 1 - (a[0] ? magnitude(a) : 0)))[1] === 1n;
  const spoken = (a) => {
    if (a[0] === 0n) return "0";
    const decimals = Math.max(0, (ends(a, 6) ? 6 : 3) - 1 - magnitude(a));
    return grouped(times(a, TEN(decimals))[1] === 1n ? decimal(a, 6, false) : rounded(a, decimals));
  };
  const everyDigit = (a) => {
    let rest = a[1], places = 0;
    for (; rest > 1n && (rest % 2n === 0n || rest % 5n === 0n); places++) rest /= rest % 10n === 0n ? 10n : rest % 2n === 0n ? 2n : 5n;
    return rest > 1n ? text(a) : grouped(rounded(a, places));
  };
  const laddered = (base, steps, tail, least = 1000) => {
    for (const [unit, scale] of steps) {
      const by = read(scale);
      if (order(size(base), by) >= 0 && order(by, [BigInt(least), 1n]) >= 0) return [over(base, by), unit + tail];
    }
  };
  function inReadableUnit({ ladders }, base, unit, scale) {
    const [head, ...rest] = unit.split("/"), steps = ladders[unit] ?? (head === "byte" ? ladders.byte : undefined);
    const plain = [over(base, read(scale)), unit];
    if (steps === undefined) return plain;
    const tail = unit in ladders || !rest.length ? "" : `/${rest.join("/")}`;
    if (head === "byte" && !unit.endsWith("/s") && base[0]) {
      for (const [name, by] of ladders.binary) {
        const number = over(base, read(by));
        if (number[1] === 1n && abs(number[0]) < 1n << 20n) return [number, name + tail];
      }
    }
    if (unit === "s") return laddered(base, steps, tail, 0) ?? (base[0] ? [over(base, read(steps.at(-1)[1])), steps.at(-1)[0]] : plain);
    return laddered(base, steps, tail) ?? plain;
  }
  const digitsOf = (a) => { for (let n = 1; n < 15; n++) if (ends(a, n)) return n; return 15; };
  function inSpokenUnit(program, base, unit, scale) {
    const found = inReadableUnit(program, base, unit, scale), [head, ...rest] = unit.split("/");
    if (head !== "byte" || rest.join("/") === "s" || base[0] === 0n) return found;
    const tail = rest.length ? `/${rest.join("/")}` : "";
    const fitting = program.ladders.binary.map(([name, by]) => [over(base, read(by)), name + tail]).find(([n]) => order(size(n), ONE) >= 0 && ends(n, 6));
    const far = fitting && order(size(fitting[0]), [1024n, 1n]) >= 0 && !fitting[1].startsWith(program.ladders.binary[0][0]);
    const binary = far ? undefined : fitting;
    const plain = laddered(base, program.ladders.byte, tail) ?? [over(base, read(scale)), unit];
    return binary && digitsOf(binary[0]) < digitsOf(plain[0]) ? binary : plain;
  }
  const withUnit = (number, unit, tight = false) => number + (unit === "1" || unit === "" ? "" : tight && ["x", "×", "%"].includes(unit) ? unit : ` ${unit}`);
  function readable(program, base, unit, scale) {
    const [number, name] = inReadableUnit(program, base, unit, scale);
    return withUnit(decimal(number), name);
  }
  function spokenAnswer(program, base, unit, scale) {
    const [number, name] = inSpokenUnit(program, base, unit, scale), short = withUnit(spoken(number), name, true);
    const exact = over(base, read(scale));
    const kept = spoken(number) === grouped(decimal(number, 6, false)) && !program.ladders.binary.some(([prefix]) => name.startsWith(prefix));
    return kept || !ends(exact, 15) ? short : `${short} (${withUnit(everyDigit(exact), unit)})`;
  }

  return { answer, compute, read, text, times, over, order, readable, decimal, Refused };
})();
if (typeof module !== "undefined") module.exports = flopkb;
