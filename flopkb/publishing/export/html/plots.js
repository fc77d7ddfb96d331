"use strict";
// A plot of a page, gone along: values under the mouse, a finger or the arrow keys, either kind of axes, chosen curves.
(() => {
  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== false) node.setAttribute(key, value === true ? "" : value);
    node.append(...children);
    return node;
  };

  function enliven(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent), picture = figure.querySelector(".picture");
    const curves = data.curves.map(({ label, reason, points }, colour) => ({ label, reason, colour, points: points.map(([x, y, text]) => ({ x, y, text })) }));
    const hidden = new Set(), read = make("p", { class: "read", role: "status" }), still = picture.firstElementChild;
    const show = (y) => Number(y.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });
    let log = true;
    const redraw = () => {
      const drawn = curves.filter((curve) => !hidden.has(curve) && curve.points.length);
      const say = (text) => { read.textContent = text; };
      picture.replaceChildren(drawn.length ? flopkbCurves.draw(drawn, { name: data.name, title: data.title, log, show, say, marks: data.marks, ridges: data.ridges, unit: data.unit }) : still);
      read.textContent = "";
    };
    const axes = make("button", { type: "button", "aria-pressed": "false" }, "Linear axes");
    axes.addEventListener("click", () => {
      log = !log;
      axes.setAttribute("aria-pressed", `${!log}`);
      redraw();
    });
    const choose = curves.length < 2 ? [] : curves.map((curve) => {
      const box = make("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => {
        if (box.checked) hidden.delete(curve); else hidden.add(curve);
        redraw();
      });
      return make("label", {}, box, ` ${curve.label}`);
    });
    picture.after(read, make("p", { class: "plot-tools" }, axes, ...choose));
    redraw();
  }

  addEventListener("DOMContentLoaded", () => document.querySelectorAll("figure.plot").forEach(enliven));
})();
