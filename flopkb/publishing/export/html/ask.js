"use strict";
// A formula asked in its page: inputs as controls, the answer as one types. evaluate.js computes; the address says what is asked.
(() => {
  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
    node.append(...children);
    return node;
  };
  const PARTS = ["mixer", "feed_forward"];
  const TITLES = { model: "Model", accelerator: "Accelerator", interconnect: "Interconnect", dtype: "Arithmetic in", kv_dtype: "KV cache in", weight_dtype: "Weights in", expert_dtype: "Experts in", index_dtype: "Index in", state_dtype: "State in", conv_dtype: "Convolution in", mixer: "Mixer", feed_forward: "Feed-forward block" };
  const MOST = 6; // more curves than these nobody tells apart
  const K = { k: 1024n, Ki: 1024n, Mi: 1048576n, Gi: 1073741824n };

  class Asking {
    constructor(place, program) {
      this.place = place;
      this.program = program;
      this.root = place.dataset.root;
      this.record = place.dataset.record;
      this.formulas = Object.keys(program.formulas).filter((name) => name.startsWith(`${this.record}.`));
      this.presets = program.presets[this.record] ?? [];
      this.typed = {};
    }

    start() {
      const asked = new URLSearchParams(location.hash.startsWith("#ask&") ? location.hash.slice(5) : "");
      const first = this.presets.find((preset) => preset.formula);
      this.formula = this.formulas.includes(`${this.record}.${asked.get("formula")}`) ? `${this.record}.${asked.get("formula")}` : first?.formula ?? this.formulas[0];
      if (asked.has("formula")) for (const [name, value] of asked) { if (name !== "formula") this.typed[name] = value; } else Object.assign(this.typed, first?.given);
      this.form = make("form", { class: "ask", autocomplete: "off" });
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.answer = make("div", { class: "answer", role: "status" });
      this.more = make("div");
      this.place.replaceChildren(this.form, this.answer, this.more);
      this.asked(); // what is lacking gets a control
      this.controls();
      if (asked.has("formula")) this.place.closest("section").scrollIntoView();
    }

    // -- controls ------------------------------------------------------------------------------------------------------
    choice(title, options, chosen, act) {
      const select = make("select", {}, ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
      select.addEventListener("change", () => act(select.value));
      return make("label", {}, make("span", {}, title), select);
    }
    controls() {
      const focused = document.activeElement?.dataset?.input;
      const short = (name) => name.slice(this.record.length + 1);
      const heads = [this.choice("Formula", this.formulas.map((name) => [name, `${short(name)} (${this.program.formulas[name].unit})`]), this.formula, (name) => this.turn(name))];
      if (this.presets.length) {
        const options = [["", "…"], ...this.presets.map((preset, index) => [`${index}`, preset.title])];
        heads.push(this.choice("Start from", options, "", (index) => index && this.begin(this.presets[index])));
      }
      const inputs = this.shown().map((name) => this.control(name));
      const rest = this.rest();
      const also = rest.length ? [this.choice("Also give", [["", "…"], ...rest.map((name) => [name, `${name}: ${this.symbol(name).meaning}`])], "", (name) => this.also(name))] : [];
      this.form.replaceChildren(...heads, ...inputs, ...also);
      if (focused) this.form.querySelector(`[data-input="${focused}"]`)?.focus();
    }
    turn(formula) {
      this.formula = formula;
      const known = new Set([...this.names(), ...Object.keys(this.program.roles)]);
      for (const name of Object.keys(this.typed)) if (!known.has(name)) delete this.typed[name];
      this.changed();
      this.controls();
    }
    begin(preset) {
      if (preset.formula) this.formula = preset.formula;
      this.typed = { ...preset.given };
      this.changed();
      this.controls();
    }
    also(name) {
      this.typed[name] ??= "";
      this.controls();
      this.form.querySelector(`[data-input="${name}"]`)?.focus();
    }
    read() {
      const { reads, asks } = this.program.formulas[this.formula];
      return [...reads, ...asks].map((key) => this.program.symbols[key]);
    }
    names() { return this.read().map((symbol) => symbol.name); }
    symbol(name) { return this.read().find((symbol) => symbol.name === name); }
    // The inputs that have a control: what is given, what is missing, and the parts of a model that has several.
    shown() {
      const order = Object.keys(this.program.roles);
      const names = [...new Set([...Object.keys(this.typed), ...(this.lacking ?? []), ...this.parts()])];
      const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
      return names.filter((name) => name in this.program.roles || this.symbol(name)).sort((a, b) => rank(a) - rank(b));
    }
    parts() {
      const model = this.program.records[this.record_of("model")];
      const read = this.program.formulas[this.formula].parts ?? [];
      return PARTS.filter((role) => read.includes(role) && model && typeof model[role] === "object" && Object.keys(model[role]).length > 1);
    }
    rest() {
      return this.names().filter((name) => !this.shown().includes(name));
    }
    control(name) {
      const symbol = this.symbol(name), role = this.program.roles[name], value = this.typed[name] ?? "";
      const lacks = this.lacking?.includes(name);
      if (PARTS.includes(name)) {
        const model = this.program.records[this.record_of("model")];
        const options = Object.entries(model?.[name] ?? {}).map(([part, { type }]) => [part, part === type ? part : `${part}: ${type}`]);
        return this.choice(TITLES[name], [["", "all layers"], ...options], value, (part) => this.type(name, part));
      }
      if (symbol?.words) return this.choice(`${name}: ${symbol.meaning}`, [["", "…"], ...symbol.words.map((word) => [word, word])], value, (word) => this.type(name, word));
      const input = make("input", { value, "data-input": name, "aria-invalid": lacks ? "true" : undefined, list: role && `ask-${role}`, type: "text", inputmode: role ? undefined : "text", spellcheck: "false" });
      if (role && !document.getElementById(`ask-${role}`)) this.place.after(this.list(role));
      input.addEventListener("input", () => this.type(name, input.value));
      const title = role ? TITLES[name] ?? name : `${name}: ${symbol.meaning}`;
      const unit = role || symbol.unit === "1" ? "" : symbol.unit;
      return make("label", {}, make("span", {}, title), make("span", { class: "with-unit" }, input, unit ? make("span", {}, unit) : ""));
    }
    list(role) {
      const own = Object.entries(this.program.records).filter(([, record]) => record.kind === role);
      return make("datalist", { id: `ask-${role}` }, ...own.map(([id, record]) => make("option", { value: id }, record.name)));
    }
    type(name, value) {
      this.typed[name] = value;
      const before = this.shown().join();
      this.changed();
      if (name === "model" || PARTS.includes(name) || this.shown().join() !== before) this.controls();
    }

    // -- what is typed -------------------------------------------------------------------------------------------------
    // The id that is meant: itself, or the name or alias of a record, whatever its case, hyphens and blanks.
    record_of(role, typed = this.typed[role] ?? "") {
      const kind = this.program.roles[role];
      typed = typed.split(",")[0].trim();
      if (typed in this.program.records || !typed) return typed;
      const plain = (text) => text.toLowerCase().replace(/[-_\s.]/g, "");
      const found = Object.entries(this.program.records).filter(([id, record]) => record.kind === kind && [id, record.name, ...record.aliases].some((name) => plain(name) === plain(typed)));
      return found.length === 1 ? found[0][0] : typed;
    }
    number(name) {
      const symbol = this.symbol(name), typed = this.typed[name].trim().replace(/,(?=\d{3}(?!\d))/g, "");
      const match = /^(-?\d+(?:\.\d+)?)(?:e(-?\d{1,3}))?(?:\/(\d+))?\s*(\S.*)?$/i.exec(typed);
      if (!match) throw new flopkb.Refused("outside", `${name}: ${this.typed[name]} is no number`);
      const [, digits, exponent = "0", under = "1", unit = ""] = match;
      const [whole, decimals = ""] = digits.split(".");
      const ten = 10n ** BigInt(Math.abs(Number(exponent))), power = Number(exponent) < 0 ? [1n, ten] : [ten, 1n];
      if (BigInt(under) === 0n) throw new flopkb.Refused("zero", `${name}: a denominator is 0`);
      const plain = flopkb.times(flopkb.read(`${BigInt(whole + decimals)}/${10n ** BigInt(decimals.length) * BigInt(under)}`), power);
      return flopkb.text(flopkb.times(plain, this.scale(name, symbol, unit)));
    }
    scale(name, symbol, unit) {
      const own = flopkb.read(symbol.scale);
      if (unit === "" || unit === symbol.unit) return own;
      if (unit === "%" && symbol.unit === "1") return [1n, 100n];
      if (unit in K && (unit !== "k" || symbol.unit === "token")) return flopkb.times(own, [K[unit], 1n]);
      for (const [base, steps] of Object.entries(this.program.ladders)) {
        const alike = [...steps.map(([step]) => step), base === "binary" ? "byte" : base];
        const found = steps.find(([step]) => step === unit);
        if (found && (alike.includes(symbol.unit) || (base === "binary" && this.program.ladders.byte.some(([step]) => step === symbol.unit)))) return flopkb.read(found[1]);
      }
      throw new flopkb.Refused("outside", `${name} is in ${symbol.unit}, not in ${unit}`);
    }
    // One choice of inputs for each record that a role names, `a, b`; labelled by what tells them apart.
    choices() {
      let made = [["", this.given()]];
      for (const role of Object.keys(this.program.roles)) {
        const named = (this.typed[role] ?? "").split(",").filter((each) => each.trim());
        if (named.length < 2) continue;
        const ids = named.map((each) => this.record_of(role, each));
        made = made.flatMap(([label, given]) => ids.map((id) => [[label, this.program.records[id]?.name ?? id].filter(Boolean).join(", "), { ...given, [role]: id }]));
      }
      return made.slice(0, MOST);
    }
    given() {
      const made = {};
      for (const name of Object.keys(this.typed)) {
        if (!this.typed[name].trim()) continue;
        if (PARTS.includes(name)) made[name] = this.typed[name];
        else if (name in this.program.roles) made[name] = this.record_of(name);
        else if (this.symbol(name)?.words) made[name] = this.typed[name];
        else if (this.symbol(name)) made[name] = this.number(name);
      }
      for (const role of PARTS) if (made[role] && !this.parts().includes(role)) delete made[role];
      return made;
    }

    // -- the answer ----------------------------------------------------------------------------------------------------
    asked() {
      this.lacking = [];
      let told, more = [];
      try {
        const choices = this.choices();
        if (choices.length === 1) [told, more] = this.one(flopkb.answer(this.program, this.formula, choices[0][1]));
        else told = [this.compared(choices)];
        more.push(this.plotted(choices));
      } catch (error) {
        if (!(error instanceof flopkb.Refused)) throw error;
        this.lacking = error.names.filter((name) => name in this.program.roles || this.symbol(name));
        told = [make("p", { class: "refused" }, ...this.refusal(error))];
      }
      this.answer.replaceChildren(...told);
      this.more.replaceChildren(...more);
    }
    // The address says what is asked, once somebody asks: until then it may name a figure of the page.
    changed() {
      this.asked();
      const said = new URLSearchParams(Object.entries(this.typed).filter(([, value]) => value.trim()));
      history.replaceState(null, "", `#ask&formula=${this.formula.slice(this.record.length + 1)}&${said}`);
    }
    one(found) {
      const assumed = found.assumes.map((line) => make("li", {}, line));
      return [[make("output", {}, found.text), ...(assumed.length ? [make("ul", { class: "assumed" }, ...assumed)] : [])], [this.steps(found), this.taken(found)]];
    }
    refusal(error) {
      const kind = { missing: "Not yet", "not applicable": "Does not apply", "not covered": "Not covered", outside: "Not possible" }[error.kind] ?? "No value";
      const said = error.kind === "missing" ? `give ${error.names.map((name) => TITLES[name]?.toLowerCase() ?? name).join(", ")}` : error.message;
      return [make("b", {}, kind), " ", said];
    }
    // Several choices side by side. One that lacks an input says so for all.
    compared(choices) {
      const rows = choices.map(([label, given]) => {
        try {
          const found = flopkb.answer(this.program, this.formula, given);
          return [label, make("span", {}, make("output", {}, found.text), ...(found.assumes.length ? [make("small", {}, ` ${found.assumes.join("; ")}`)] : []))];
        } catch (error) {
          if (!(error instanceof flopkb.Refused) || error.kind === "missing") throw error;
          return [label, make("span", { class: "refused" }, ...this.refusal(error))];
        }
      });
      return make("table", {}, make("tbody", {}, ...rows.map(([label, cell]) => make("tr", {}, make("th", { scope: "row" }, label), make("td", {}, cell)))));
    }

    // -- curves --------------------------------------------------------------------------------------------------------
    plotted(choices) {
      const numbers = this.shown().filter((name) => !(name in this.program.roles) && !this.symbol(name)?.words && (this.typed[name] ?? "").trim());
      const details = make("details", { class: "plot", open: this.over !== undefined });
      if (!numbers.length) return "";
      const head = make("div", { class: "ask" }), picture = make("div"), read = make("p", { class: "read", role: "status" });
      const redraw = () => this.curves(choices, numbers.includes(this.over) ? this.over : numbers[0], picture, read);
      head.append(this.choice("Over", numbers.map((name) => [name, name]), numbers.includes(this.over) ? this.over : numbers[0], (name) => { this.over = name; redraw(); }));
      head.append(this.choice("Axes", [["log", "logarithmic"], ["linear", "linear"]], this.linear ? "linear" : "log", (kind) => { this.linear = kind === "linear"; redraw(); }));
      details.append(make("summary", {}, "Plot"), head, picture, read);
      details.addEventListener("toggle", () => {
        this.over = details.open ? this.over ?? numbers[0] : undefined;
        if (details.open && !picture.firstChild) redraw();
      });
      return details;
    }
    curves(choices, name, picture, read) {
      const symbol = this.symbol(name), scale = flopkb.read(symbol.scale), domain = symbol.domain ?? {};
      const bound = (text, none) => { const [n, d] = text ? flopkb.over(flopkb.read(text), scale) : [none, 1]; return Number(n) / Number(d); };
      const middle = bound(choices[0][1][name], 1), whole = domain.step !== undefined;
      const least = bound(domain.from, 0), most = bound(domain.to, Infinity);
      const xs = flopkbCurves.places(Math.max(least, middle / 64, whole ? 1 : 1e-9), Math.min(most, middle * 64), whole);
      const { unit, scale: by } = this.program.formulas[this.formula];
      const exact = (x) => flopkb.text(flopkb.times(flopkb.read(whole ? `${x}` : `${BigInt(Math.round(x * 1e9))}/1000000000`), scale));
      const made = choices.map(([label, given]) => flopkbCurves.curve(label, xs, (x) => {
        try { return flopkb.answer(this.program, this.formula, { ...given, [name]: exact(x) }); } catch (error) {
          if (!(error instanceof flopkb.Refused)) throw error;
          return { refused: error.message };
        }
      }));
      const drawn = made.filter(({ points }) => points.length);
      const show = (y) => flopkb.readable(this.program, flopkb.times(flopkb.read(`${BigInt(Math.round(y * 1e6))}/1000000`), [1n, 1n]), unit, by);
      picture.replaceChildren(...(drawn.length ? [flopkbCurves.draw(made, { name, title: this.formula, log: !this.linear, show, say: (text) => { read.textContent = text; } })] : []));
      const keys = made.map(({ label, reason, points }, index) => make("li", { class: `c${index}` }, [label || this.formula, points.length ? reason && `ends at ${name} = ${points.at(-1).x.toLocaleString("en")}: ${reason}` : reason].filter(Boolean).join(" – ")));
      picture.append(make("ul", { class: "keys" }, ...keys));
      read.textContent = "";
    }
    table(title, heads, rows) {
      const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
      const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell))))));
      return make("details", {}, make("summary", {}, `${title} (${rows.length})`), make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title }, table));
    }
    steps(found) {
      const rows = found.steps.map(([name, frame, value]) => {
        const { unit, scale } = this.program.formulas[name];
        const where = [...PARTS.map((role) => frame.parts[role]), ...(frame.levels.length ? ["with inputs of its own"] : [])].filter(Boolean).join(", ");
        return [make("a", { href: this.page(name.split(".")[0], "formulas") }, make("code", {}, name)), where, flopkb.readable(this.program, value, unit, scale)];
      });
      return this.table("Steps", ["Formula", "For", "Value"], rows);
    }
    taken(found) {
      const rows = [...found.taken].map(([path, value]) => {
        const id = path.split(".")[0], record = this.program.records[id];
        return [make("a", { href: this.page(id, `${record.kind}s`) }, record.name), make("code", {}, path.slice(id.length + 1)), flopkb.decimal(value)];
      });
      return this.table("Recorded values, in base units", ["Of", "Value", "Worth"], rows);
    }
    page(id, folder) {
      return `${this.root}${this.program.pages[id] ?? folder}/${id}.html`;
    }
  }

  addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("asking");
    if (!place) return;
    const script = document.createElement("script");
    script.src = `${place.dataset.root}assets/program.js`;
    script.onload = () => new Asking(place, window.flopkbProgram).start();
    document.head.append(script);
  });
})();
