import { aType } from '../../../src/operations/wording/words.ts';
import { named, namedList, listed, say } from '../../../src/domain/said.ts';
import { askingForColumns, askingForLetters, importUsers } from '../../../src/features/imports/import-users.ts';
import { columnNotices } from '../../../src/features/imports/import-preview.ts';
import { everything } from '../../../src/governance/rights/rights.ts';
import { drawPage, drawParts } from '../../../src/slack/views/blocks/page.ts';
import { drawn, answered } from '../../support/as-sent.ts';
import type { Page } from '../../../src/operations/page.ts';
import { batchPlanPage, openPreviewItems } from '../../../src/features/batches/pages/batches.ts';
import type { ImportSummary } from '../../../src/domain/batch.ts';
import { formView } from '../../../src/slack/form/form.ts';
import { importOfferPage } from '../../../src/features/imports/pages.ts';
import { ownPasswordMessage, passwordListView } from '../../../src/slack/views/users/password.ts';
import { newUserRow } from '../../support/builders/rows.ts';
import { openPreview } from '../../support/builders/today.ts';
import type { Samples } from '../collect.ts';

const reader = {
  rights: new Set(['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'] as const),
  visibility: everything,
};

const large: ImportSummary = {
  source: 'new-hires.csv',
  hasLines: true,
  counts: {
    create: 38,
    update: 2,
    same: 5,
    differs: 3,
    conflict: 1,
    invalid: 4,
    'no address': 2,
    repeated: 1,
    outsider: 0,
    gone: 3,
  },
  problems: [
    { line: 4, note: say`There’s no e-mail address and no user name.` },
    { line: 9, note: say`${named('rosa@quiz.example')} is in line ${3} already.` },
    { line: 12, note: say`${named('Kim Doe')} already uses ${named('kim@quiz.example')}.` },
    {
      line: 17,
      note: `${say`Groups`}: ${say`${named('Ware')} fits ${2} groups, such as ${namedList(['Warehouse', 'Hardware'])}. Write the whole name.`}`,
    },
    {
      line: 18,
      note: `${say`Quizzes`}: ${say`No quiz is called ${named('Fire safty')}.`} ${say`The nearest: ${named('Fire safety')}.`}`,
    },
    {
      line: 21,
      note: `${say`Type`}: ${say`Choose ${listed([say`Respondent`, say`Trainer`, say`Administrator`], 'disjunction')}.`}`,
    },
    { line: 22, note: say`The row has ${9} cells, and the first row of the file has ${8}.` },
    {
      line: 30,
      note: say`${named('Ada Okafor')} is ${aType('administrator')}. An import takes no rights away: use \`/quiz-user update\`.`,
    },
  ],
  gone: [
    {
      line: 41,
      person: 'Rosa Almeida',
      note: say`The column ${named('Status')} says ${named('Terminated')}.`,
      suspend: 'u-rosa',
    },
    { line: 43, person: 'Cy Park', note: say`The column ${named('Status')} says ${named('Guest')}.` },
  ],
  privileged: ['Zoë Åberg', 'Nils Bohr'],
  notices: [...columnNotices({ unknown: ['Hobby'], jobs: [], withoutTypes: [], unused: [], secret: ['Password'] })],
};
const channel: ImportSummary = {
  ...large,
  gone: [],
  source: '#new-hires',
  hasLines: false,
  counts: { create: 1, same: 1, outsider: 2 },
  problems: [
    { line: 3, note: say`${named('Gil Guest')} is a guest in ${'Slack'}.` },
    { line: 5, note: say`${'Slack'} has no confirmed e-mail address of ${named('Mo Mail')}.` },
  ],
  privileged: [],
  notices: [],
};

const entered = {
  file: { kind: 'file', id: 'F1', name: 'neue-leute.csv' },
  user_type: 'respondent',
  groups: undefined,
  quizzes: undefined,
  welcome: undefined,
  existing: undefined,
  columns: undefined,
} as const;
const asked = askingForColumns(
  {
    header: ['Familie', 'Rufzeichen', 'Elektropost'],
    rows: [
      { line: 2, cells: ['Meier', 'Anna', 'anna@quiz.example'] },
      { line: 3, cells: ['Berg', 'Bo', 'bo@quiz.example'] },
    ],
    columns: {
      places: new Map(),
      readable: [0, 1, 2],
      kept: [],
      unknown: [],
      jobs: [],
      withoutTypes: [],
      unused: [],
      secret: [],
      absences: [],
      isResult: false,
      question: say`No column says that it has e-mail addresses or user names.`,
    },
  },
  entered,
) as Page;
const askedLetters = askingForLetters(
  {
    encoding: 'windows-1252',
    isSure: false,
    isPossible: true,
    readings: [
      { encoding: 'windows-1252', words: ['Hélène', 'Michèle'] },
      { encoding: 'windows-1250', words: ['Hélčne', 'Michčle'] },
    ],
  },
  entered,
) as Page;
/** The preview of an import that takes 84 minutes. */
const shown = (imported: ImportSummary, canStart = true) =>
  drawn(
    batchPlanPage(
      {
        kind: 'batch',
        operation: 'import-users',
        action: 'create 38 users',
        rows: Array.from({ length: 3_310 }, (_, at) => newUserRow(`Person ${at}`, {})),
        approval: null,
        imported,
      },
      {
        id: 'plan-1',
        canStart,
        entered: { operation: 'import-users', input: { file: ['file:F1|new-hires.csv'], user_type: ['respondent'] } },
        timeZone: 'Europe/London',
        platform: 'Slack',
      },
    ),
  );

export const samples: Samples = {
  'The form of an import that a person changes': formView(importUsers, reader, {
    values: { file: { kind: 'file', id: 'F1', name: 'new-hires.csv' } },
  }),
  'What an import of a file would do': shown(large),
  'What an import of a channel would do': shown(channel),
  'An import of a file in which most people have no name': shown(
    {
      ...large,
      gone: [],
      counts: { create: 20 },
      problems: [],
      privileged: [],
      notices: [],
      lacksNames: { count: 14, total: 20 },
    },
    false,
  ),
  'An import of a file with names in one column': shown({
    ...large,
    gone: [],
    counts: { create: 3, update: 1, invalid: 1 },
    problems: [{ line: 5, person: 'Max Mustermann', note: say`“${'max(at)quiz.example'}” isn’t an e-mail address.` }],
    privileged: [],
    names: [
      { written: 'Dr. Anna Meier', first: 'Anna', last: 'Meier' },
      { written: 'Smith, John, Jr.', first: 'John', last: 'Smith Jr.' },
      { written: 'Herr Groß', first: '', last: 'Groß' },
    ],
    notices: [
      say`Line ${4}: ${named('Rosa Almeida')} would become ${named('Rosa Reis')}, and keeps their results.`,
      ...columnNotices({
        unknown: ['Hobby'],
        jobs: ['Role'],
        withoutTypes: ['userType'],
        unused: [{ title: 'Home Email', holds: 'email_address', instead: 'Work Email' }],
        secret: ['Contraseña'],
      }),
    ],
    withoutMail: 3,
  }),
  'The bot asks what the columns of a file hold': answered(importUsers, asked),
  'The bot asks how the letters of a file are read': answered(importUsers, askedLetters),
  'The bot asks it where no form can open': drawPage(asked),
  'The form of import-users for a person who closed a preview, with reopen-preview': {
    ...formView(importUsers, reader),
    blocks: [
      ...drawParts([{ items: openPreviewItems([openPreview()]) }, { isApart: true }]),
      ...formView(importUsers, reader).blocks,
    ],
  },
  'Passwords to print': passwordListView('b-1', {
    kind: 'list',
    shown: [
      { name: 'Ingo Ohne', userName: 'ingo', password: 'vB7kQ2mZr9TfWc4H' },
      { name: 'Olga Ohne', userName: 'olga', password: 'XzxLSTBDxDSfzAGR' },
    ],
    last: 1,
    left: 3,
  }),
  'Passwords to print, of nobody': passwordListView('b-1', { kind: 'list', shown: [], last: -1, left: 0 }),
  'Passwords to print, by another person': passwordListView('b-1', {
    kind: 'refused',
    message: say`Only the person who started this import can see its passwords.`,
  }),
  'An import with nothing to do': shown({ ...channel, counts: { same: 14 }, problems: [] }, false),
  'An import created a user for the reader': ownPasswordMessage({ userId: 'u-1', by: 'U00000ADA' }),
  'A person sends a CSV file to the bot': drawn(importOfferPage([{ id: 'F1', name: 'new-hires.csv' }])),
  'A person sends two CSV files to the bot': drawn(
    importOfferPage(['kitchen.csv', 'office.csv'].map((name, index) => ({ id: `F${index}`, name }))),
  ),
};
