// The service worker: keeps the shell of the page and the last sheet that was seen, to be shown while the table's
// computer is away. A page comes from the computer whenever that answers, however late: only one that says nothing at all
// is taken to be away. What is kept says of itself that it is old: its <html> has the time at which it was so as
// `data-kept`. Neither the JSON interface nor photos are touched here.
//
// Before this, the server puts `self.SHELL`: {version, files}.

const SHELL_CACHE = `shell ${self.SHELL.version}`;
const SHEETS = `sheets ${self.SHELL.version}`;
const MOST_SHEETS = 10;
const PATIENCE_MS = 3000; // then it is asked for something small: a computer that sleeps neither answers nor refuses
const THERE_MS = 4000; // within this, one that only has much to do answers that
const AWAY_MS = 10_000; // for so long a page that was shown from what is kept finds the rest there, too
const OLD_MS = 60_000; // what stands unchanged is marked anew as often as this
const PRIVATE = /<!--private-->[\s\S]*?<!--\/private-->/g; // the way in for other phones
const SHEET = /^\/sessions\/\w+$/;
const WITHIN = /^(\/sessions\/\w+)\//;
const FRAGMENT = /^(\/sessions\/\w+)\/sheet$/;
const ANY = { ignoreVary: true, ignoreSearch: true };

let away = 0; // until when the computer is taken to be away
let order = Promise.resolve(); // answers are kept one after the other, as they came

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(SHELL_CACHE);
    await cache.addAll(self.SHELL.files.map((file) => new Request(file, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name !== SHELL_CACHE && name !== SHEETS) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== "GET") return;
  if (request.mode === "navigate" || SHEET.test(pathname)) event.respondWith(page(event, pathname, search));
  else if (FRAGMENT.test(pathname)) event.respondWith(fragment(event, FRAGMENT.exec(pathname)[1]));
  else if (self.SHELL.files.includes(pathname)) event.respondWith(file(request, pathname));
});

// A device that is full keeps nothing new, and that is all.
function later(event, what) {
  order = order.then(what).catch(() => {});
  event.waitUntil(order);
}

// ---- Pages

async function page(event, path, search) {
  let waiting = true;
  const answer = fetch(event.request).then((answer) => {
    away = 0;
    const copy = answer.clone();
    later(event, () => remember(copy, path, search));
    return answer;
  }).finally(() => { waiting = false; });
  event.waitUntil(answer.catch(() => {})); // what comes when the kept page is shown already is kept, too
  try {
    return await Promise.race([answer, silence(() => waiting)]);
  } catch {
    away = Date.now() + AWAY_MS;
    return shown(path);
  }
}

// Fails as soon as the computer does not even answer something small.
async function silence(waiting) {
  await after(PATIENCE_MS);
  while (waiting()) {
    const small = fetch("/static/icon.svg", { method: "HEAD", cache: "no-store" });
    await Promise.race([small, after(THERE_MS).then(() => Promise.reject(new Error("silent")))]);
    await after(PATIENCE_MS);
  }
}

const after = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

async function remember(answer, path, search) {
  if (answer.status === 403) await caches.delete(SHEETS);
  else if (answer.status === 404) await (await caches.open(SHEETS)).delete(path);
  else if (answer.status === 200 && SHEET.test(path) && !search) await keep(path, (await answer.text()).replace(PRIVATE, ""));
}

async function keep(path, html) {
  const cache = await caches.open(SHEETS);
  await cache.delete(path); // so that the newest is the last
  await cache.put(path, new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8", "X-Kept": new Date().toISOString() } }));
  for (const old of (await cache.keys()).slice(0, -MOST_SHEETS)) await cache.delete(old);
}

async function shown(path) {
  const cache = await caches.open(SHEETS);
  const farewell = await caches.match("/away", ANY);
  const kept = await cache.match(path);
  if (kept) {
    const html = (await kept.text()).replace("<html ", `<html data-kept="${kept.headers.get("X-Kept")}" `);
    // What a page from the computer may and may not do holds for this one as well.
    const headers = new Headers(farewell?.headers);
    headers.delete("Content-Length");
    headers.set("Content-Type", "text/html; charset=utf-8");
    return new Response(html, { headers });
  }
  // Of other pages nothing is kept; the sheet that they belong to, or that was seen last, is better than none.
  const sheet = WITHIN.exec(path)?.[1];
  const instead = (await cache.keys()).filter(({ url }) => path === "/" || new URL(url).pathname === sheet).at(-1);
  return instead ? Response.redirect(instead.url) : farewell || Response.error();
}

// ---- What of a sheet changes: it takes the place of what the kept page has there

async function fragment(event, path) {
  const answer = await fetch(event.request);
  const copy = answer.clone();
  later(event, () => renew(copy, path));
  return answer;
}

async function renew(answer, path) {
  if (answer.status !== 200 && answer.status !== 204) {
    await remember(answer, path, "");
    return;
  }
  const kept = await (await caches.open(SHEETS)).match(path);
  if (!kept || (answer.status === 204 && Date.now() - Date.parse(kept.headers.get("X-Kept")) < OLD_MS)) return;
  const html = await kept.text();
  const start = html.indexOf(">", html.indexOf('<main id="live"')) + 1;
  const end = html.indexOf("</main>", start);
  const now = answer.status === 204 ? html.slice(start, end) : (await answer.text()).replace(PRIVATE, "");
  await keep(path, html.slice(0, start) + now + html.slice(end));
}

// ---- The shell

async function file(request, path) {
  const kept = () => caches.match(path, ANY);
  if (Date.now() < away) return (await kept()) || fetch(request);
  return fetch(request).catch(async () => (await kept()) || Response.error());
}
