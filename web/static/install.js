// Has the browser keep the page's shell, where it lends itself to that: on this computer, and by https.

if (navigator.serviceWorker) {
  const { serviceWorker } = navigator;
  const known = serviceWorker.controller;
  serviceWorker.register("/sw.js").catch(() => {}); // a certificate that nobody vouches for is not enough for some
  // The page by which it came was loaded before it could keep that.
  serviceWorker.addEventListener("controllerchange", () => known || fetch(location.pathname).catch(() => {}), { once: true });
}
