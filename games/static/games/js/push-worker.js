// Shows what waits for somebody. What comes holds a kind and an id; the sentences are here, by language and kind: SAID.
const language = new URL(self.location.href).searchParams.get("lang");

const dataOf = (event) => {
  try {
    const { kind, game } = event.data.json();
    return /^[0-9A-Z]{12}$/.test(game) ? { kind, game } : {};
  } catch {
    return {};
  }
};

self.addEventListener("push", (event) => {
  const { kind, game = "" } = dataOf(event);
  const body = ((SAID[language] ?? SAID.en)[kind] ?? "").replace("GAME", game);
  event.waitUntil(self.registration.showNotification("Callbreak", { body, tag: game, data: { game } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { game } = event.notification.data;
  event.waitUntil(self.clients.openWindow(game ? `/games/${game}/` : "/home/"));
});
