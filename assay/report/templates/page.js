"use strict";
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const drawn = new Set();
  const dark = matchMedia("(prefers-color-scheme: dark)");

  // Colours are written by the names of the style's variables, so that light and dark have one figure.
  const coloured = (value, style) => {
    if (typeof value === "string") return value.startsWith("--") ? style.getPropertyValue(value).trim() || value : value;
    if (Array.isArray(value)) return value.map((each) => coloured(each, style));
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, coloured(each, style)]));
    return value;
  };

  const wrapped = (trace) => Object.fromEntries(Object.entries(trace).map(([key, value]) => [key, [value]]));

  const chosen = (place) =>
    [...place.querySelectorAll(".views button")].findIndex((button) => button.getAttribute("aria-pressed") === "true");

  const draw = async (place) => {
    const { figure } = figures[place.dataset.chart];
    const { data, layout } = coloured(figure, getComputedStyle(document.documentElement));
    const plot = place.querySelector(".plot");
    drawn.add(place);
    await Plotly.react(plot, data, { ...layout, autosize: true }, { displayModeBar: false, responsive: true });
    if (chosen(place) > 0) await look(place);
    place.dataset.drawn = dark.matches ? "dark" : "light";
  };

  // Another view is another trace in the same figure.
  const look = async (place) => {
    const view = chosen(place);
    await Plotly.restyle(place.querySelector(".plot"), wrapped(figures[place.dataset.chart].views[view].trace));
    place.dataset.view = view;
  };

  const places = [...document.querySelectorAll("[data-chart]")];
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) {
          near.unobserve(target);
          draw(target);
        }
    },
    { rootMargin: "600px" },
  );
  places.forEach((place) => near.observe(place));
  addEventListener("beforeprint", () => places.filter((place) => !drawn.has(place)).forEach(draw));
  dark.addEventListener("change", () => drawn.forEach(draw));

  for (const place of places)
    for (const button of place.querySelectorAll(".views button"))
      button.addEventListener("click", () => {
        for (const each of button.parentElement.children) each.setAttribute("aria-pressed", String(each === button));
        look(place);
      });

  // A link to a finding opens it.
  const show = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const closed = target && target.querySelector(":scope > details");
    if (closed) closed.open = true;
  };
  addEventListener("hashchange", show);
  show();

  if (navigator.clipboard)
    for (const place of document.querySelectorAll(".command")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "copy";
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(place.querySelector("pre").textContent);
        button.textContent = "copied";
        setTimeout(() => (button.textContent = "copy"), 1500);
      });
      place.append(button);
    }
})();
