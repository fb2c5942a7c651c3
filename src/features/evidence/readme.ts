import type { EvidenceHead } from './facts.ts';
import { limits } from './limits.ts';
import { isoTime } from './table.ts';

/** The page that says what is in a pack, and how to check it. Plain text. @param inOwnNames puts the bot’s names into its own words */
export function readmeText(
  { about, since, until, madeAt, askedBy }: EvidenceHead,
  fingerprint: string,
  inOwnNames: (sentence: string) => string,
): string {
  return `EVIDENCE OF TRAINING

About:   ${onOneLine(about)}
Period:  ${isoTime(since)} to ${isoTime(until)}
Made:    ${isoTime(madeAt)}, asked for by ${onOneLine(askedBy)}
Key:     ${fingerprint}

Begin with summary.html: open it in a browser, or print it. Times are UTC.

FILES
  summary.html      to read
  population        who was in the audience of which campaign, from when to when
  obligations       who had to take what by when, when they were told, when they passed,
                    and how they stood at the end of the period and when this was made
  messages          the messages of the period: when the platform took each, or why it did not
  results           attempts, also from before the period and after it: passes can count for long
  excuses           reasons, by whom, until when
  rules             what each campaign asks for, and changes that are on the record
                    (each of these is a .csv file; an apostrophe before =, +, - or @ keeps
                    spreadsheets from running it)
  record.jsonl      the entries of the bot's audit trail about these campaigns, in its chain.
                    Names in them are sealed: beside each entry stands what opens its seals, and
                    what they say, except of people who were erased.
                    A line with "from" and "to" stands for entries about something else
  keys.json         the public key, and those before it
  manifest.json     every file with its size and SHA-256, counts, the period
  manifest.sig      the signature of manifest.json (Ed25519, in base64)
  verify.mjs        checks all of this

An empty cell: nothing is known, or there is nothing. "no pass known": the bot knows of none.
States are those of docs/obligations.md of the project Invigilator: not required, not yet due,
excused, done, marking, not me, expiring, due, expired, overdue.

TO CHECK IT
With Node 18 or later, and nothing else installed:

  node verify.mjs PACK.zip FINGERPRINT

PACK.zip is this pack as it was sent, or the folder with its files. FINGERPRINT is the key as an
administrator reads it in ${inOwnNames('/quiz-admin status')}: without it, the check says which key signed the
pack, and not whose it is. Take verify.mjs from the project rather than from a pack that you
doubt: src/features/evidence/verify.mjs.

WHAT THIS PACK CAN'T PROVE
${limits.map((limit) => `  - ${inOwnNames(limit)}`).join('\n')}
`;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
