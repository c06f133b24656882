// What this device remembers; some lend a page no memory, and it has to do without.

export function read(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

export function write(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch { /* then not */ }
}
