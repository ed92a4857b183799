// What scripts/site/hooks.py puts before the theme's search worker: results with more of the
// searched words come first. Alone, the worker adds up the weights of words, and a page that has
// one rare word in its title hides one that has all words.
"use strict";

(() => {
  const RESULT = 3; // the type of the worker's message that holds the results
  const POWER = 4; // a result with half of the words counts for a sixteenth

  const share = (section) => {
    const isFound = Object.values(section.terms);
    return isFound.length ? isFound.filter(Boolean).length / isFound.length : 0;
  };
  const weight = (section) => section.score * share(section) ** POWER;
  const byWeight = (one, other) => weight(other) - weight(one);

  const send = self.postMessage.bind(self);
  self.postMessage = (message) => {
    if (message.type === RESULT) {
      for (const sections of message.data.items) {
        sections.sort(byWeight);
      }
      message.data.items.sort(([one], [other]) => byWeight(one, other));
    }
    send(message);
  };
})();
