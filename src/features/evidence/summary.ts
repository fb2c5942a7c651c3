import type { ObligationState } from '../../domain/campaign.ts';
import { inEnglish } from '../../domain/said.ts';
import type { CampaignFacts, EvidenceHead, PersonFacts } from './facts.ts';
import { type RecordSummary, ruleRows } from './record.ts';
import { isoTime, type Counts, canGetMessages } from './tables.ts';

/** What no pack can prove. It stands in each of them. */
export const limits = [
  'That nothing is missing that never reached the bot: an attempt that the quiz service did not report, a person who was never in a group, or an agreement outside the bot.',
  'Who took a quiz: the quiz service says which user did. Nor who reads a message that arrived.',
  'Who owns the key. It belongs to this bot if an administrator reads the same fingerprint in /quiz-admin status. The bot’s operator can read the private half of the key in its database, and could sign other files with it.',
  'When it was made: the time is that of the bot’s own clock.',
  'That entries of the audit trail between those in record.jsonl are as they were. An administrator can compare their hashes with the whole trail (/quiz-admin audit csv).',
  'Excuses that were taken back, and rules before a change, other than by the entries in record.jsonl.',
  'What 21 CFR Part 11 asks of electronic signatures: the signature is the bot’s, and no person’s.',
] as const;

/** A piece of HTML in which everything from outside is escaped. */
interface Html {
  html: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML with values in it: texts are escaped, pieces of HTML stand as they are. */
function html(strings: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]): Html {
  return { html: strings.map((text, at) => text + (at < values.length ? shown(values[at]!) : '')).join('') };
}

/** A name from outside. It keeps its direction to itself. */
function bdi(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}

function shown(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map((piece) => piece.html).join('\n');
}

/** A campaign as the summary shows it. */
export interface SummarizedCampaign extends CampaignFacts {
  /** Those who need to be named: overdue, expired, late or excused, the first of them. */
  named: readonly NamedPerson[];
  /** How many there are of them. */
  namedCount: number;
}

/** What the summary says of a person, without the campaign that it is worked out from. */
interface NamedPerson extends Pick<PersonFacts, 'isLate'> {
  name: string;
  state: ObligationState;
  dueAt: number | undefined;
  passed: string;
  /** Whether messages reach them now. */
  reached: string;
  /** Why they are excused, and by whom. */
  reason: string;
}

/** So many people are named for each campaign; the tables have all. */
export const namedAtMost = 100;

const states = [
  'done',
  'expiring',
  'due',
  'overdue',
  'expired',
  'excused',
  'marking',
  'not me',
  'not yet due',
  'not required',
] as const satisfies readonly ObligationState[];

/** What the summary says of somebody; undefined for those who are only counted. */
export function namedPerson(person: PersonFacts, nameOf: (personId: string) => string): NamedPerson | undefined {
  const { member, atEnd, isLate, pass } = person;
  if (isLate === 'no' && atEnd.state !== 'excused') return undefined;
  return {
    name: member.name,
    state: atEnd.state,
    dueAt: atEnd.dueAt,
    passed: pass === undefined ? 'no pass known' : pass.at === null ? 'not known when' : moment(pass.at),
    isLate,
    reached: inEnglish(canGetMessages(person)),
    reason: member.excused === null ? '' : `${member.excused.reason} (${nameOf(member.excused.by)})`,
  };
}

/** The page to read: without scripts or anything from elsewhere, and made to be printed. Times are UTC. */
export function summaryPage(facts: {
  head: EvidenceHead;
  campaigns: readonly SummarizedCampaign[];
  counts: Counts;
  record: RecordSummary;
  fingerprint: string;
  nameOf: (personId: string) => string;
  inOwnNames: (sentence: string) => string;
}): string {
  const { head, campaigns, counts, record, fingerprint, nameOf, inOwnNames } = facts;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evidence of training</title>
${style}
</head>
<body>
<h1>Evidence of training</h1>
<dl>
<dt>About</dt><dd>${bdi(head.about)}</dd>
<dt>Period</dt><dd>${moment(head.since)} to ${moment(head.until)}</dd>
<dt>Made</dt><dd>${moment(head.madeAt)}, asked for by ${bdi(head.askedBy)}</dd>
<dt>Signed with the key</dt><dd><code>${fingerprint}</code></dd>
</dl>
<p>Times are UTC. A state is worked out from what was known, by one rule for everyone. “No pass known” means that the bot knows of none, and not that there is none. <code>README.txt</code> says what each file holds, and how to check this pack.</p>
${campaigns.length === 0 ? html`<p>No campaign ran in this period.</p>` : campaigns.map((campaign) => campaignSection(campaign, counts[campaign.campaign.id] ?? {}, nameOf))}
<section>
<h2>The record</h2>
<p>${record.entries} entries of the audit trail belong to these campaigns, and stand in <code>record.jsonl</code>. ${record.withheld} others are about something else: of each run of them, the hash of the last is given, which covers those before it. The trail had ${record.head.position} entries when this pack was made.</p>
</section>
<section>
<h2>What this pack can’t prove</h2>
<ul>
${limits.map((limit) => html`<li>${inOwnNames(limit)}</li>`)}
</ul>
</section>
</body>
</html>
`;
  return page.html;
}

function campaignSection(
  { named, namedCount, ...facts }: SummarizedCampaign,
  counts: Readonly<Record<string, number>>,
  nameOf: (personId: string) => string,
): Html {
  const { campaign, asOf, resultsFrom } = facts;
  const cell = (name: string) =>
    html`<td data-campaign="${campaign.id}" data-count="${name}">${counts[name] ?? 0}</td>`;
  const shownStates = states.filter((state) =>
    ['stateAtEnd', 'stateNow'].some((column) => counts[`obligations ${column} ${state}`] !== undefined),
  );
  return html`<section>
<h2>${bdi(campaign.quiz.name)}</h2>
<p>Results as of ${moment(asOf)}, ${resultsFrom}.</p>
<table>
<thead><tr><th scope="col">What was asked for</th><th scope="col"></th><th scope="col">At</th></tr></thead>
<tbody>
${ruleRows(facts, nameOf).map(({ what, value, at }) => html`<tr><th scope="row">${what}</th><td>${bdi(value)}</td><td class="short">${at === null ? '' : moment(at)}</td></tr>`)}
</tbody>
</table>
<table class="counts">
<thead><tr><th scope="col">People</th><th scope="col">End of the period</th><th scope="col">As of ${moment(asOf)}</th></tr></thead>
<tbody>
${shownStates.map((state) => html`<tr><th scope="row">${state}</th>${cell(`obligations stateAtEnd ${state}`)}${cell(`obligations stateNow ${state}`)}</tr>`)}
<tr><th scope="row">in all</th>${cell('obligations')}${cell('obligations')}</tr>
</tbody>
</table>
<table class="counts">
<thead><tr><th scope="col">Also</th><th scope="col">Number</th></tr></thead>
<tbody>
<tr><th scope="row">late</th>${cell('obligations late yes')}</tr>
<tr><th scope="row">people whom no message reaches</th>${cell('obligations reached no')}</tr>
<tr><th scope="row">messages that arrived</th>${cell('messages result arrived')}</tr>
<tr><th scope="row">messages that did not arrive</th>${cell('messages result did not arrive')}</tr>
<tr><th scope="row">messages that wait to be sent</th>${cell('messages result waits')}</tr>
<tr><th scope="row">attempts</th>${cell('results')}</tr>
<tr><th scope="row">excuses</th>${cell('excuses kind excused')}</tr>
</tbody>
</table>
${namedCount === 0 ? html`` : namedTable(named, namedCount)}
</section>`;
}

function namedTable(people: readonly NamedPerson[], count: number): Html {
  const rest = count - people.length;
  return html`<h3>Late, overdue, expired or excused at the end of the period</h3>
<table>
<thead><tr><th scope="col">Person</th><th scope="col">State</th><th scope="col">Due</th><th scope="col">Passed</th><th scope="col">Late</th><th scope="col">Can get messages</th><th scope="col">Excused because, by</th></tr></thead>
<tbody>
${people.map(
  ({ name, state, dueAt, passed, isLate, reached, reason }) =>
    html`<tr><th scope="row">${bdi(name)}</th><td class="short">${state}</td><td class="short">${moment(dueAt)}</td><td class="short">${passed}</td><td class="short">${isLate}</td><td class="short">${reached}</td><td>${bdi(reason)}</td></tr>`,
)}
</tbody>
</table>
${rest > 0 ? html`<p>And ${rest} more: see obligations.csv.</p>` : html``}`;
}

/** A moment that fits a column, to the minute. */
function moment(atMs: number | undefined): string {
  return isoTime(atMs)?.slice(0, 16).replace('T', ' ') ?? '';
}

/** For the screen and for A4. */
const style = html`<style>
@page { size: A4; margin: 18mm 16mm; }
body { font: 10.5pt/1.45 "Noto Sans", "Segoe UI", Helvetica, Arial, sans-serif; color: #111; background: #fff; max-width: 178mm; margin: 0 auto; padding: 8mm 0; }
h1 { font-size: 20pt; margin: 0 0 4mm; }
h2 { font-size: 14pt; margin: 9mm 0 2mm; padding-top: 3mm; border-top: 0.4mm solid #111; }
h3 { font-size: 11pt; margin: 5mm 0 1mm; }
h1, h2, h3 { line-height: 1.25; break-after: avoid; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: 44mm 1fr; gap: 1mm 3mm; margin: 0 0 4mm; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 2mm 0 4mm; font-size: 9.5pt; }
table.counts { width: auto; min-width: 90mm; }
th, td { text-align: left; vertical-align: top; padding: 1mm 2mm; border-bottom: 0.2mm solid #bbb; overflow-wrap: anywhere; }
thead th { border-bottom: 0.4mm solid #111; overflow-wrap: normal; }
tbody th { font-weight: 400; }
table.counts td { text-align: right; font-variant-numeric: tabular-nums; }
td.short { white-space: nowrap; overflow-wrap: normal; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
code { font: 9pt/1.4 "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
@media print { body { max-width: none; padding: 0; } }
</style>`;
