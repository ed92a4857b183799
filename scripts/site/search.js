// Runs the search of the built site, its own worker, outside a browser.
//
//   echo '["No module named imp"]' | node scripts/site/search.js build/site
//
// Prints, as JSON, the locations of the results of each query in the order of the search box. The
// box shows one result a page: the section of that page which fits best.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const site = process.argv[2];
const workers = path.join(site, "assets", "javascripts", "workers");
const script = fs.readdirSync(workers).find((name) => /^search\..*\.js$/.test(name));
const index = JSON.parse(fs.readFileSync(path.join(site, "search", "search_index.json"), "utf8"));
const queries = JSON.parse(fs.readFileSync(0, "utf8"));

const SETUP = 0, READY = 1, QUERY = 2; // the types of the worker's messages
const results = [];
let listener = null;

const worker = {
  console: { warn: (text) => process.stderr.write(`${text}\n`) },
  addEventListener: (_, function_) => { listener = function_; },
  postMessage: (message) => {
    if (message.type !== READY) {
      results.push(message.data.items.map((sections) => sections[0].location));
    }
  },
};
worker.self = worker;
vm.runInNewContext(fs.readFileSync(path.join(workers, script), "utf8"), worker);

(async () => {
  await listener({ data: { type: SETUP, data: { ...index, options: { suggest: true } } } });
  for (const query of queries) {
    await listener({ data: { type: QUERY, data: query } });
  }
  process.stdout.write(JSON.stringify(results));
})();
