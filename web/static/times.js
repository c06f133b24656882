// Times as the device's owner reads them.

import { all } from "./page.js";
import { locale } from "./words.js";

export function showTimes() {
  all("time").forEach((time) => {
    time.textContent = new Date(time.dateTime).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
  });
}
