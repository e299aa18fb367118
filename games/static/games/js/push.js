// Switches this browser on: asks it for an address to wake it by, and sends that with the form.
const form = document.querySelector("form[data-push]");

const subscribed = async () => {
  const registration = await navigator.serviceWorker.register(form.dataset.push);
  // One made for another key, or for somebody else here, would not do.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  await navigator.serviceWorker.ready;
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key });
};

if (form && "serviceWorker" in navigator && "PushManager" in window) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { endpoint, keys } = (await subscribed()).toJSON();
      Object.assign(form.elements.endpoint, { value: endpoint });
      Object.assign(form.elements.p256dh, { value: keys.p256dh });
      Object.assign(form.elements.auth, { value: keys.auth });
      form.submit();
    } catch {
      form.querySelector("[data-refused]").hidden = false;
    }
  });
}
