// Proposes the browser's own time zone. Choosing it stays with the person; saving it, with the form.
import "./push.js";

const select = document.querySelector("select[name=time_zone]");
const button = document.querySelector("[data-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const known = [...select.options].some((option) => option.value === zone);

if (known && select.value !== zone) {
  button.textContent = button.dataset.zone.replace("ZONE", zone);
  button.hidden = false;
  button.addEventListener("click", () => {
    select.value = zone;
    button.hidden = true;
    select.focus();
  });
}
