/** What is said in coding sessions, made of parts: enough of the words of any project to be in the way of a search. */

type Random = () => number;

const THINGS =
  `the login form;the invoice list;the importer;the nightly job;the billing module;the search page;the websocket;the mobile app;the
  export to CSV;the feed worker;the retry queue;the admin page;the test database;the price list;the Docker image;the report of revenue;the map;
  the newsletter;the migration;the cache at the edge;the upload;the PDF generator;the audit log;the customer table;the sensor service;
  the calendar;the backup;the load balancer;the staging cluster;the webhook handler`
    .split(';')
    .map((one) => one.replaceAll(/\s+/gu, ' ').trim());
const DOES =
  `returns the wrong status;is slow on large accounts;fails in the pipeline;loses the last row;shows an empty page;logs too much;
  needs another index;has no test yet;times out after a while;ignores the time zone;opens two connections;sends the message twice;
  sorts by the wrong column;holds a lock for too long;does not handle errors;crashes on an empty file;uses an old library;counts rows twice`
    .split(';')
    .map((one) => one.replaceAll(/\s+/gu, ' ').trim());
const DID =
  `I read the code first;I added a test for it;I split the function in two;I renamed the column;I moved the query into the store;
  I removed the dead code;I looked at the logs of last week;I ran the whole suite;I changed the default;I wrote it down in the changelog;
  I made the error say what to do;I checked the other callers;I left the rest as it was;I measured it before and after`
    .split(';')
    .map((one) => one.replaceAll(/\s+/gu, ' ').trim());
const ASKS =
  `Please look at why;Can you find out whether;I think;Check first if;We saw in production that;A customer says that;The review says that`
    .split(';')
    .map((one) => one.replaceAll(/\s+/gu, ' ').trim());

const pick = <T>(random: Random, from: readonly T[]): T => {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error('There is nothing to pick from');
  return one;
};

/** What a session is called. */
export function titleOf(random: Random): string {
  return `Work on ${pick(random, THINGS)}`;
}

/** Some entries of a session: requests, answers and what tools put out, in turn. */
export function entriesOf(
  random: Random,
  count: number,
): { kind: 'prompt' | 'answer' | 'tool_result'; text: string }[] {
  return Array.from({ length: count }, (_, at) => {
    const [thing, other] = [pick(random, THINGS), pick(random, THINGS)];
    const [does, done] = [pick(random, DOES), pick(random, DID)];
    const n = Math.floor(random() * 900);
    if (at % 5 === 0) return { kind: 'prompt', text: `${pick(random, ASKS)} ${thing} ${does}.` };
    if (at % 5 === 3)
      return {
        kind: 'tool_result',
        text: `Tests ${n} passed, ${n % 7} failed (${n + 40} ms)\nat ${thing.replaceAll(' ', '/')}.ts:${n}:${n % 80}\n${other} ${does}`,
      };
    return {
      kind: 'answer',
      text: `It turns out that ${thing} ${does}, because ${other} ${pick(random, DOES)}. ${done}, and then ${pick(random, DID).replace('I ', 'I also ')}. ${n} lines changed.`,
    };
  });
}
