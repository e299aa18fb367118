// Fills the part in the shuffle with 16 random bytes, unless its reader wrote something first.
const random = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

for (const field of document.querySelectorAll("input[name='contribution']")) {
  if (!field.value) field.value = random();
  // Pressed twice in a hurry, the form is still sent once.
  field.form.addEventListener("submit", (event) => {
    if (field.form.dataset.sent) event.preventDefault();
    field.form.dataset.sent = "yes";
  });
}

// A page that comes back from the browser's memory may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});
