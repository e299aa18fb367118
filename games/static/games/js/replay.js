/* The replay, made quicker: arrow keys step, and the slider shows its position when it is let go. Links do all of it too. */

const STEPS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // The slider and the fields have a use of their own for these keys.
  if (event.target.matches("input, select, textarea")) return;
  const link = document.getElementById(STEPS[event.key]);
  if (!link) return;
  event.preventDefault();
  location.replace(link.href);
});

const slider = document.getElementById("seq");
slider.addEventListener("change", () => slider.form.requestSubmit());
