"use strict";
// A formula over one of its inputs: a curve for each choice of the others, which ends where the formula does not apply.
// With the mouse, a finger or the arrow keys one goes along it and reads its values.
var flopkbCurves = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 640, HEIGHT = 320, LEFT = 96, RIGHT = 26, TOP = 14, BOTTOM = 40;
  const make = (name, attributes = {}, ...children) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  // A fraction as a double, also where its parts are beyond one.
  const float = ([n, d]) => {
    const size = (value) => Math.max(0, (value < 0n ? -value : value).toString(2).length - 1000);
    const [up, down] = [BigInt(size(n)), BigInt(size(d))];
    return (Number(n >> up) / Number(d >> down)) * 2 ** Number(up - down);
  };

  // Where the values are taken: quarters of a doubling from low to high, whole numbers where the input is whole.
  function places(low, high, whole) {
    const found = new Set();
    for (let at = Math.log2(low); at <= Math.log2(high) + 1e-9; at += 0.25) found.add(whole ? Math.round(2 ** at) : Number((2 ** at).toPrecision(6)));
    return [...found].filter((place) => place >= low && place <= high).sort((a, b) => a - b);
  }
  // The points of a curve up to the last value, and why it ends there.
  function curve(label, xs, ask) {
    const points = [];
    let reason = "", began = false;
    for (const x of xs) {
      const found = ask(x);
      if (found.refused !== undefined) {
        if (began) { reason = found.refused; break; }
        reason ||= found.refused;
        continue;
      }
      if (!began) reason = "";
      began = true;
      points.push({ x, y: float(found.value), text: found.text });
    }
    return { label, points, reason };
  }

  // -- axes ------------------------------------------------------------------------------------------------------------
  const scaled = (low, high, from, to, log) => {
    const of = log ? Math.log2 : (value) => value;
    const span = of(high) - of(low) || 1;
    return (value) => from + ((of(value) - of(low)) / span) * (to - from);
  };
  function ticks(low, high, log) {
    if (log && high / low >= 4) {
      const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high)), step = Math.max(1, Math.ceil((last - first) / 7));
      const found = [];
      for (let at = first; at <= last; at += step) found.push(2 ** at);
      return found;
    }
    const rough = (high - low || high || 1) / 5, ten = 10 ** Math.floor(Math.log10(rough));
    const step = ten * [1, 2, 5, 10].find((each) => each * ten >= rough), found = [];
    for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(Number(at.toPrecision(12)));
    return found;
  }
  const binary = (value) => {
    if (!Number.isInteger(value)) return `${Number(value.toPrecision(3))}`;
    for (const [size, unit] of [[2 ** 20, "Mi"], [2 ** 10, "Ki"]]) if (value >= size && value % size === 0) return `${value / size}${unit}`;
    return value.toLocaleString("en");
  };

  // curves: [{label, points, reason, colour}]; show(y) writes a value, say(text) is told what the reader looks at;
  // marks are points with a sign: [x, y, sign], below the ridges [x, y]; unit is said along the values.
  function draw(curves, { name, title, log, show, say, marks = [], ridges = [], unit = "" }) {
    const all = [...curves.flatMap(({ points }) => points), ...marks.map(([x, y]) => ({ x, y }))], ys = all.map(({ y }) => y), xs = all.map(({ x }) => x);
    const logY = log && Math.min(...ys) > 0, flat = Math.max(...ys) === Math.min(...ys);
    const [low, high] = flat ? [ys[0] / 2, ys[0] * 2 || 1] : [logY ? Math.min(...ys) : Math.min(0, ...ys), Math.max(...ys)];
    const toX = scaled(Math.min(...xs), Math.max(...xs), LEFT, WIDTH - RIGHT, log), toY = scaled(low, high, HEIGHT - BOTTOM, TOP, logY);
    const svg = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curves", role: "img", tabindex: "0", "aria-label": `${title} over ${name}; arrow keys go along it` });
    for (const tick of ticks(Math.min(...xs), Math.max(...xs), log)) {
      svg.append(make("line", { class: "grid", x1: toX(tick), x2: toX(tick), y1: TOP, y2: HEIGHT - BOTTOM }), make("text", { x: toX(tick), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, binary(tick)));
    }
    for (const tick of ticks(low, high, logY)) {
      svg.append(make("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: toY(tick), y2: toY(tick) }), make("text", { x: LEFT - 6, y: toY(tick) + 4, "text-anchor": "end" }, show(tick)));
    }
    svg.append(make("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle", class: "axis" }, name));
    curves.forEach(({ points, reason, colour }, place) => {
      const index = colour ?? place;
      if (!points.length) return;
      const path = points.map(({ x, y }) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(" ");
      svg.append(make("polyline", { points: path, class: `curve c${index}` }));
      const last = points[points.length - 1];
      if (reason) svg.append(make("path", { class: `end c${index}`, d: `M${toX(last.x) - 5},${toY(last.y) - 5}l10,10m0,-10l-10,10` }, make("title", {}, reason)));
    });
    if (unit) svg.append(make("text", { x: -(TOP + HEIGHT - BOTTOM) / 2, y: 16, transform: "rotate(-90)", "text-anchor": "middle", class: "axis" }, unit));
    for (const [x, y] of ridges) svg.append(make("path", { class: "ridge c0", d: `M${toX(x)},${toY(y) - 7}l7,7l-7,7l-7,-7z` }));
    for (const [x, y, text] of marks) {
      if (ridges.length) svg.append(make("line", { class: "gap", x1: toX(x), x2: toX(x), y1: toY(y), y2: toY(ridges[0][1]) }));
      svg.append(make("ellipse", { cx: toX(x), cy: toY(y), rx: 6 + 4 * text.length, ry: 10, class: "at" }), make("text", { x: toX(x), y: toY(y) + 4.5, "text-anchor": "middle", class: "number" }, text));
    }
    const dot = make("circle", { r: 4.5, class: "at", visibility: "hidden" });
    svg.append(dot);
    let at = 0;
    const look = (point, label) => {
      dot.setAttribute("visibility", "visible");
      dot.setAttribute("cx", toX(point.x));
      dot.setAttribute("cy", toY(point.y));
      say(`${label ? `${label}: ` : ""}${name} = ${point.x.toLocaleString("en")}: ${point.text}`);
    };
    const flatList = curves.flatMap(({ label, points }) => points.map((point) => ({ label, point })));
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect(), x = ((event.clientX - box.left) / box.width) * WIDTH, y = ((event.clientY - box.top) / box.height) * HEIGHT;
      const far = ({ point }) => (toX(point.x) - x) ** 2 + ((toY(point.y) - y) / 3) ** 2;
      at = flatList.reduce((best, each, index) => (far(each) < far(flatList[best]) ? index : best), 0);
      look(flatList[at].point, flatList[at].label);
    });
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      at = Math.min(flatList.length - 1, Math.max(0, at + step));
      look(flatList[at].point, flatList[at].label);
      event.preventDefault();
    });
    return svg;
  }

  return { places, curve, draw };
})();
