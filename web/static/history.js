// The pages of games gone by.

import { showTimes } from "./times.js";

showTimes();
