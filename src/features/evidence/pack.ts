import { inEnglish } from '../../domain/said.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedLink } from '../../domain/sealed-entry.ts';
import type { FileTable, TableCell } from '../../operations/services/files.ts';
import { peopleIn, type CampaignFacts, type EvidenceHead, type PersonFacts } from './facts.ts';
import { recordWriter, type RecordedCampaign, changeRow, ruleColumns, ruleRows } from './record.ts';
import type { Signer } from './signing-keys.ts';
import { namedAtMost, namedPerson, summaryPage, type SummarizedCampaign, limits } from './summary.ts';
import {
  isoTime,
  tableWriter,
  type Counts,
  excusesTable,
  messagesTable,
  obligationsTable,
  populationTable,
  questionColumns,
  questionRows,
  type QuizQuestions,
  resultsTable,
  type PersonTable,
} from './tables.ts';
import { createHash, type Hash } from 'node:crypto';
import { Zip, ZipDeflate } from 'fflate';

/** Everything that goes into a pack. Campaigns and links are read one after the other, so that memory never holds all. */
export interface PackContents {
  head: EvidenceHead;
  campaigns: AsyncIterable<CampaignFacts & Pick<RecordedCampaign, 'isQuizSeen'>>;
  /** Of each quiz, once. */
  questions: AsyncIterable<QuizQuestions>;
  /** The audit trail, from its beginning. */
  links: AsyncIterable<RecordedLink>;
  /** The names of people of the platform, by their IDs. */
  namesOf: (personIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  signer: Signer;
  /** The text of `verify.mjs`. */
  verifier: string;
  /** Puts the bot’s names into its own words. */
  inOwnNames: (sentence: string) => string;
}

/** A pack, and what is in it. */
export interface Pack {
  content: Buffer;
  campaigns: number;
  people: number;
  entries: number;
}

/** People whose rows are worked out, and links that are read, while nothing else runs. */
const [peopleInSlice, linksInSlice] = [50, 200];
/** Of the comment of the ZIP file. */
const sealLabel = 'invigilator-seal:';
const signatureLength = 88;

/** Makes a pack: a ZIP file, signed. It is made while somebody reads the table of it that is for people. */
export function makePack(contents: PackContents) {
  let made: Pack | undefined;
  async function* rowsOfPack() {
    made = yield* writePack(contents);
  }
  return {
    table: {
      columns: obligationColumns.map(({ title, kind = 'text' as const }) => ({ title, kind })),
      parts: rowsOfPack(),
    } satisfies FileTable,
    pack(): Pack {
      if (made === undefined) throw new Error('A pack is made once its table is read');
      return made;
    },
  };
}

const { columns: obligationColumns } = obligationsTable;

/** Yields the rows of the obligations. */
async function* writePack({ head: asked, ...contents }: PackContents): AsyncGenerator<TableCell[][], Pack> {
  const { signer, inOwnNames } = contents;
  const head = { ...asked, about: inEnglish(asked.about), askedBy: inEnglish(asked.askedBy) };
  const [{ fingerprint }] = signer.keys;
  const zip = zipWriter(head.madeAt);
  /** The record is English already, and its hashes are those of its text. */
  const write = (file: string, text: string, isLast: boolean) => zip.write(file, inEnglish(text), isLast);
  zip.write('README.txt', readmeText(head, fingerprint, inOwnNames), true);
  const counts: Counts = {};
  const names = new Map<string, string>();
  const nameOf = (personId: string) => names.get(personId) ?? 'not known';
  const tableOf = <Row extends { person: PersonFacts }>(name: string, { columns, rowsOf }: PersonTable<Row>) => {
    const { count, end } = tableWriter(name, columns, write);
    const add = (people: readonly PersonFacts[]) => count(people.flatMap(rowsOf), people[0]?.campaign.id ?? '', counts);
    return { add, end };
  };
  const tables = [
    tableOf('population', populationTable),
    tableOf('obligations', obligationsTable),
    tableOf('messages', messagesTable(head.platform)),
    tableOf('results', resultsTable),
    tableOf('excuses', excusesTable(nameOf)),
  ];
  const rules = tableWriter('rules', ruleColumns, write);

  const campaigns: SummarizedCampaign[] = [];
  const recorded: RecordedCampaign[] = [];
  const userIds = new Set<string>();
  for await (const { isQuizSeen, ...facts } of contents.campaigns) {
    const { campaign } = facts;
    await learn([campaign.ownerId, ...campaign.members.flatMap(({ excused }) => excused?.by ?? [])]);
    rules.add(ruleRows(facts, nameOf));
    const people = peopleIn(facts, head);
    for (let from = 0; from < people.length; from += peopleInSlice) {
      const slice = people.slice(from, from + peopleInSlice);
      for (const { member } of slice) userIds.add(member.userId);
      for (const table of tables) table.add(slice);
      yield slice.map((person) => obligationColumns.map(({ of }) => of({ person }) ?? null));
      await nextTurn();
    }
    const named = people.flatMap((person) => namedPerson(person, nameOf) ?? []);
    // The people of a campaign are many: what is kept of it is what the summary names.
    const members = isQuizSeen ? [] : campaign.members;
    campaigns.push({
      ...facts,
      campaign: { ...campaign, members: [] },
      named: named.slice(0, namedAtMost),
      namedCount: named.length,
    });
    recorded.push({ campaign: { ...campaign, members }, isQuizSeen });
  }
  for (const table of tables) table.end();
  const questions = tableWriter('questions', questionColumns, write);
  for await (const ofQuiz of contents.questions) questions.add(questionRows(ofQuiz));
  questions.end();

  const record = recordWriter(recorded, head, (text, isLast) => zip.write('record.jsonl', text, isLast));
  for await (const link of contents.links) {
    if (link.position % linksInSlice === 0) await nextTurn();
    const added = record.add(link);
    if (added === undefined) continue;
    await learn(added.entry.by === undefined ? [] : [added.entry.by]);
    rules.add([changeRow(added.entry, added.campaigns, nameOf)]);
  }
  rules.end();
  const recordSummary = record.end();

  write(
    'summary.html',
    summaryPage({ head, campaigns, counts, record: recordSummary, fingerprint, nameOf, inOwnNames }),
    true,
  );
  zip.write('keys.json', `${JSON.stringify({ keys: signer.keys.map(datedKey) }, null, 2)}\n`, true);
  zip.write('verify.mjs', contents.verifier, true);
  const manifest = Buffer.from(
    `${JSON.stringify(
      {
        format: 'invigilator-evidence-2',
        about: head.about,
        since: isoTime(head.since),
        until: isoTime(head.until),
        made: isoTime(head.madeAt),
        askedBy: head.askedBy,
        key: fingerprint,
        campaigns: campaigns.map(manifestCampaign),
        counts,
        record: recordSummary,
        files: zip.files(),
      },
      null,
      2,
    )}\n`,
  );
  zip.write('manifest.json', manifest, true);
  zip.write('manifest.sig', `${signer.sign(manifest)}\n`, true);
  const content = zip.end(
    (sha256) => `${sealLabel}${signer.sign(Buffer.from(sha256))}`,
    sealLabel.length + signatureLength,
  );
  return { content, campaigns: campaigns.length, people: userIds.size, entries: recordSummary.entries };

  async function learn(personIds: readonly string[]): Promise<void> {
    const unknown = [...new Set(personIds)].filter((id) => !names.has(id));
    if (unknown.length === 0) return;
    for (const [id, name] of await contents.namesOf(unknown)) names.set(id, name);
  }
}

function manifestCampaign({ campaign, asOf, resultsFrom }: CampaignFacts) {
  const { id, quiz, startedAt, endedAt } = campaign;
  return {
    id,
    quiz: quiz.name,
    quizId: quiz.id,
    started: isoTime(startedAt),
    ended: isoTime(endedAt),
    asOf: isoTime(asOf),
    resultsFrom,
  };
}

function datedKey({ fingerprint, publicKey, from, until }: Signer['keys'][number]) {
  return { fingerprint, publicKey, from: isoTime(from), until: isoTime(until) };
}

/** The page that says what is in a pack, and how to check it. Plain text. @param inOwnNames puts the bot’s names into its own words */
function readmeText(
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
  questions         how many got each question of a quiz right, as far as the bot has read the
                    answers; of questions with five attempts or more, and without people
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
States are those of docs/campaigns.md of the project Invigilator: not required, not yet due,
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

/** A file in a pack. `size` is in bytes. */
interface PackedFile {
  name: string;
  size: number;
  sha256: string;
}

/**
 * A ZIP file whose files are written at the same time, part by part. What is compressed is kept in memory until its end.
 *
 * @param modifiedAt the time of its files, in milliseconds since the epoch
 */
function zipWriter(modifiedAt: number) {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const open = new Map<string, { entry: ZipDeflate; hash: Hash; size: number }>();
  const ended = new Map<string, PackedFile | undefined>();

  function opened(name: string) {
    const known = open.get(name);
    if (known) return known;
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = modifiedAt;
    zip.add(entry);
    const file = { entry, hash: createHash('sha256'), size: 0 };
    open.set(name, file);
    ended.set(name, undefined);
    return file;
  }

  return {
    write(name: string, content: string | Buffer, isLast: boolean): void {
      const file = opened(name);
      const bytes = Buffer.from(content);
      file.hash.update(bytes);
      file.size += bytes.length;
      file.entry.push(bytes, isLast);
      if (!isLast) return;
      open.delete(name);
      ended.set(name, { name, size: file.size, sha256: file.hash.digest('hex') });
    },
    /** The files that have ended, in the order in which they began. */
    files: () => [...ended.values()].filter((file) => file !== undefined),
    /** @param seal makes the comment at the end of the file, from the SHA-256 of everything before it; of `sealLength` bytes */
    end(seal: (sha256: string) => string, sealLength: number): Buffer {
      zip.end();
      const archive = Buffer.concat(chunks);
      archive.writeUInt16LE(sealLength, archive.length - 2);
      return Buffer.concat([archive, Buffer.from(seal(createHash('sha256').update(archive).digest('hex')))]);
    },
  };
}
