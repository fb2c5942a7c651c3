import { expect, test } from 'vitest';
import { read } from '../support/project-files.ts';

/** The threats of SECURITY.md, by the words in bold type, and the tests that hold what it promises about each. */
const threats: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'Forged webhook': {
    'test/features/webhooks/signature.test.ts': [
      'no header or body makes the check throw or pass by accident',
      'is refused where no secret is configured, unless that is allowed: then nothing vouches for its body',
    ],
    'test/features/webhooks/route.test.ts': [
      'refuses %s, says why and counts it',
      'neither repeats nor logs what is sent, however much it is',
    ],
    'test/scenarios/webhooks.test.ts': [
      'a webhook that the service never confirms holds up none that comes after it',
      'an unsigned webhook is only a hint: the bot asks the quiz service and announces its answer',
    ],
    'test/wrong-variables.test.ts': [
      '%s: its right values are taken without a word, and no sentence repeats a secret',
      '%s: whatever is not taken as it stands has a sentence that names it',
    ],
  },
  'Replayed webhook': {
    'test/features/webhooks/route.test.ts': [
      'tells the sender, the log and the counters that an event is taken, and known afterwards',
    ],
    'test/features/webhooks/signature.test.ts': [
      'is taken up to five minutes before or after its time, where it has one, to the millisecond',
    ],
    'test/storage/redis.test.ts': ['takes and handles an event once, whichever instances try'],
    'test/scenarios/alerts.test.ts': ['three deliveries of one event become one message'],
  },
  'Forged or replayed Slack request': {
    'test/slack/in/http.test.ts': [
      'with %s is refused before its body is read',
      'that is refused for its signature or its size is counted, and logs no line of its own',
    ],
    'test/scenarios/tenants.test.ts': [
      'a request signed with the secret of one tenant is refused at the address of another, and without a name there is no address',
    ],
    'test/scenarios/forged.test.ts': [
      'a forged button opens only a refusal',
      'a person without the right cannot decide, whatever they send',
    ],
    'test/governance/approvals/decide.test.ts': [
      'counts once, and who comes after it hears of it and stands on the record',
    ],
  },
  'Stolen trainer session': {
    'test/governance/rights/matrix.test.ts': [
      'who can do what: at once (yes), with someone else’s approval (asks), or not at all (-)',
      'no limit gives anybody more than they have without it',
    ],
    'test/governance/rights/visibility.test.ts': [
      'a field that holds any JSON never gives a person more than what it spells',
    ],
    'test/scenarios/trainers.test.ts': ['of one group sees and changes its members, and nobody else'],
    'test/governance/rights/policy.test.ts': ['never lets one person alone make an irreversible change'],
    'test/scenarios/quizzes.test.ts': ['checks rights again when a form is submitted'],
    'test/governance/approvals/prepare.test.ts': [
      'and nothing is run where the person who approves it has lost their rights',
    ],
    'test/governance/approvals/late.test.ts': [
      'is not made where the %s was suspended meanwhile',
      'is not made where its target has changed meanwhile: the reviewer sees it as it is now',
    ],
    'test/scenarios/approvals-killed.test.ts': [
      'a quiz approved for deletion as “It has no responses”, with the bot killed before the service deletes it, is not deleted when five have come in and it has a new name',
    ],
  },
  'Malicious names': {
    'test/slack/views/blocks/message.test.ts': [
      'keeps every character and contains no raw angle bracket',
      'cannot change the direction of the text after it',
    ],
    'test/scenarios/attempts.test.ts': [
      'of a respondent who wrote lines, direction signs and links into their name has a comment of one line without links',
    ],
    'test/slack/views/limits.test.ts': ['no text from outside can mention, link or notify'],
    'test/slack/files.test.ts': [
      'a file is sent to one person with a comment that notifies nobody else and is clipped',
    ],
    'test/scenarios/quizzes.test.ts': [
      'shows the name <!channel> & <https://x|y> in list, picker and form, and notifies nobody',
    ],
  },
  'Administrators locked out, or replaced by a namesake': {
    'test/governance/rights/user-protection.test.ts': [
      'with %s %j',
      'an owner without a user suspends the first where the second is %s: %s',
      'where two do it to each other at the same time (%s %j)',
      'where two approve the deletion of each other at the same time',
      'with %s, the user is read again: %j',
    ],
    'test/governance/perform/judge.test.ts': ['keeps nobody from being recognized who makes it for themselves (%j)'],
    'test/governance/approvals/prepare.test.ts': [
      'is no owner with %s',
      'and nothing is run where the person who asked for it %s: the request is closed, and nobody gets a password',
    ],
    'test/directory/identity.test.ts': [
      'stays %s beside %s',
      'is somebody else where only a letter outside ASCII differs in case',
    ],
    'test/scenarios/rights.test.ts': [
      'becomes nobody else’s, and only people who see that user read who has it',
      'does not decide on their requests, nor does a person to whom that one gave it',
      'needs approval where another administrator is there, and the reviewer reads what it means',
    ],
  },
  'Malicious text in files': {
    'test/operations/table-file.test.ts': [
      'reads back as it was written and contains no formula that a spreadsheet would run',
      'defuses formulas for spreadsheets that split cells at semicolons',
      'keeps its heading, has filters, runs no formula, and names every part',
    ],
    'test/scenarios/administration.test.ts': ['exports a CSV file that is safe to open, without passwords or answers'],
  },
  'Malicious file upload': {
    'test/scenarios/attempts.test.ts': [
      'sends its uploaded file in a direct message',
      'with a file that %s gets an explanation and no file',
    ],
    'test/slack/files.test.ts': ['a file name cannot hide its extension'],
    'test/quiz-api/download.test.ts': ['reads from %j the file name %j'],
  },
  'Curious respondent': {
    'test/scenarios/quizzes.test.ts': ['an administrator lists every quiz, a respondent only the assigned ones'],
    'test/scenarios/home.test.ts': ['shows a respondent their own quizzes and nothing about other people'],
    'test/governance/rights/policy.test.ts': ['refuses every change to respondents and to people without an identity'],
    'test/scenarios/attempts.test.ts': ['shows contact details only to people who manage users'],
    'test/scenarios/personal-canaries.test.ts': [
      'receives no personal data from any operation',
      'learns no name by a private name',
    ],
    'test/directory/name-index.test.ts': [
      'a private name changes nothing for a person who may read only the public ones',
    ],
    'test/features/results/export.test.ts': ['leaves out a registration field with %s without the right, in every row'],
    'test/scenarios/administration.test.ts': ['lists a request only to people who asked it or may decide on it'],
  },
  'Result sent to the wrong person': {
    'test/scenarios/respondents.test.ts': [
      'who cannot be written to, is not the user, or has no address of their own; the next person is',
    ],
  },
  'Leaked or stolen password': {
    'test/scenarios/passwords.test.ts': [
      'leaves their password nowhere but in the modal: not in messages, the log, the store or the audit trail',
      'sets nothing where its modal does not open, and the answer has the button again',
      'of an administrator shows one password for one approval, and the same one for ten minutes',
    ],
    'test/governance/passwords/passwords.test.ts': [
      '%s (%s) who presses the button for a user who is %s gets: %s',
      'an offer is for one person, one user, and what that user was',
      'the audit trail names the user and not the password',
      '%s sees none, and none is set',
      'none is shown of a user who has more rights than the import gave',
      'none is shown after two weeks, or when the person may not create users any more',
    ],
  },
  'Answer of the quiz service that leads elsewhere': {
    'test/quiz-api/lists.test.ts': ['at %s are not asked for'],
  },
  'Leaked log': {
    'test/main.test.ts': ['never logs a token, key, secret, password or personal data, at any level'],
    'test/observability/log.test.ts': [
      'removes every token, password and e-mail address, whatever surrounds it, and keeps the line valid JSON',
    ],
    'test/features/webhooks/route.test.ts': ['logs neither the respondent nor the signature'],
    'test/quiz-api/errors.test.ts': ['with status %i and %s'],
  },
  'Compromised channel': {
    'test/scenarios/webhooks.test.ts': ['no address of a respondent is ever in the file of the bot'],
    'test/features/alerts/pages.test.ts': ['shows only initials in a channel without names'],
    'test/scenarios/alert-subscriptions.test.ts': ['is only for people who can see results'],
    'test/scenarios/forged.test.ts': ['a person without the right cannot decide, whatever they send'],
    'test/scenarios/campaigns.test.ts': ['has no board in a private channel that the person is not in'],
  },
  'Another workspace': {
    'test/scenarios/forged.test.ts': ['a payload of another workspace is refused and audited'],
    'test/scenarios/quizzes.test.ts': ['a person of another workspace is a stranger, whatever their e-mail address'],
    'test/directory/identity.test.ts': [
      'who is a %s is nobody, whatever their address',
      'with an e-mail address that they have not confirmed is nobody',
    ],
    'test/scenarios/organizations.test.ts': [
      'an installation for a whole organization serves the people of all its workspaces, and nobody else',
      'does nothing and sees nothing with any payload %s',
      'a person of another company with an administrator’s address gets no requests for approval',
      'how a request ended is shown to nobody who could not have decided on it',
      'is subscribed only after a question that names the company',
    ],
  },
  'One tenant reaches another': {
    'test/scenarios/tenants.test.ts': [
      'a request signed with the secret of one tenant is refused at the address of another, and without a name there is no address',
      'a webhook signed with the secret of one account is refused at the address of another',
    ],
    'test/scenarios/tenants-apart.test.ts': [
      'a tenant that can’t start, or is described wrongly, stops no other, and readiness says why',
      'a slip in one tenant keeps no old secret of its account in force',
    ],
    'test/tenants/tenants-file.test.ts': [
      'tenants of the same account that differ in its %s are refused with both names',
    ],
  },
  'Lost, stolen or modified store': {
    'test/scenarios/away.test.ts': [
      'webhooks get 503 and commands report the outage; both recover without a restart, and no accepted webhook is lost',
    ],
    'test/storage/cases/every-store.ts': ['say when the store is away, as all of it does, and do not look empty'],
    'test/storage/sqlite/damage.test.ts': [
      'a store whose %s was deleted refuses every write, is not ready, and has no figures',
      'deleted files are reported within seconds while nothing is written',
    ],
    'test/scenarios/approvals.test.ts': ['creating a trainer needs approval, and the request holds no password'],
    'test/scenarios/erasing.test.ts': [
      'what is kept for good holds no address of a new user, neither in the audit trail nor in a decided request',
    ],
    'test/storage/anchored-trail.test.ts': [
      'detects %s',
      'verifies, and is noticed for good, also after a restart and %i new entries',
      'a trail that was written anew with all its hashes is noticed',
      'an audit trail whose file was deleted while the bot was stopped is known to have had entries',
    ],
    'test/scenarios/audit.test.ts': [
      'an audit trail that was cut at its end is an alarm in the log, the metrics, the audit channel, status and verify',
    ],
    'test/storage/sqlite/data-dir.test.ts': [
      'a folder with mode %o and the bot’s files in it are taken from other users, which is reported once',
      'a folder that users share is refused, and stays as it is',
    ],
  },
  'Harmful or misdirected import': {
    'test/slack/files.test.ts': [
      'reads no file for a person who cannot see it in Slack',
      'sends its token to no other host, neither by an address nor by a redirect',
      'reads no more than 5 MB, whatever Slack says about the size',
    ],
    'test/features/imports/csv-table.test.ts': [
      'hostile files end in a sentence or in a table, and every cell of a table is in the file',
    ],
    'test/features/imports/workbook.test.ts': ['%s is refused within a second of processor time, in a sentence'],
    'test/features/imports/import-users.test.ts': [
      'needs approval where the policy has another person decide on one of its rows',
      'shows a person nobody whom they may not see, only that an address is taken',
      'keeps the addresses of the file out of the log and the audit trail',
      'stores nothing of a column that it does not know, and gives none of it back',
    ],
    'test/features/imports/columns-and-names.test.ts': [
      '$name is read, and no password in it is kept',
      'takes no type or right from what a person says of a column',
    ],
  },
  'Prompt injection': {
    'test/scenarios/agents.test.ts': [
      'gives the names of the account no way to be markup, in any text',
      'gets an instruction in a name as data: in quotation marks or in account_data, without markup, and nowhere else',
      'never deletes: a tool that cannot be undone opens a request, for administrators too',
      'cannot subscribe a channel: the person presses the button in a direct message',
      'resets no password and changes no rights: the person presses the button, and sees the password alone',
      'cannot confirm a warning: no argument of a tool says yes',
      'starts no campaign: it gets the preview, and Start is in the direct messages',
      'cannot make another token',
    ],
    'test/features/agents/answer.test.ts': ['no text from the account renders as markup or closes its quotation marks'],
    'test/features/doors.test.ts': ['for %s, each operation comes to the same by command, form, assistant and agent'],
  },
  'Forged call of a tool, or a stolen token': {
    'test/scenarios/agents.test.ts': [
      'believes no byte that is unsigned, stale, signed otherwise or changed after it was signed',
      'takes only POST, one message at a time, and nothing from a web page',
      'refuses guests, and people of another workspace',
      'acts as the person until it is revoked, is shown once and stored nowhere',
      'is in no message that Slack keeps, also for a person who writes to the bot',
      'ends after 30 days',
      'is refused with another person’s name in it, or another secret',
      'serves Slack and tokens while a hundred callers with a made-up signature keep their bodies open',
      'holds no place for the unfinished bodies of a token, and few for its calls',
      'refuses a signature that cannot be one before its body is read',
    ],
    'test/hostile/agents.test.ts': ['reads no more for a person who left the workspace two minutes ago'],
    'test/fuzz/fuzz.test.ts': ['$what cause no crash and no hang, and do only what they may'],
    'test/http/server.test.ts': [
      'one body more than the room of an address holds ends the oldest, and the others can be completed',
    ],
  },
  'Step of a workflow that acts as another person': {
    'test/scenarios/workflows.test.ts': [
      'is nobody where the text is not the bot’s own, and nothing reaches the service',
      'is nobody in another kind of step, or in another workflow than the first where Slack names it',
      'is decided by their rights when it runs, not when it was published',
      'gets no options as a respondent, a guest or a stranger',
      'waits for the decision where the person needs approval, and ends with it',
      'tells no address of a profile to a person who does not manage users',
      'tells a trainer who manages users the address of nobody else’s users',
      'gets one direct message for a step, in which they revoke them: no run uses them any more',
      'is listed for administrators alone, who revoke them; a wait that began with them ends with an error',
      'keeps them from others: a trainer cannot revoke them with a button that they forge',
    ],
    'test/features/workflows/queues.test.ts': [
      'ends with an error where the person who published the workflow lost the right to see the result',
    ],
    'test/features/workflows/step-grants.test.ts': [
      'counts no more when no step has used it for 90 days, and each use lets it count for 90 more',
      'is for the workflow that ran it first, where the platform names it',
    ],
    'test/storage/step-grants.test.ts': [
      'what one instance revokes, the others refuse at once',
      'a grant that is revoked while steps use it stays revoked',
    ],
  },
  'Compromised dependency': {
    'test/documents.test.ts': [
      'every package is pinned to one version and a hash, and no package may run an install script',
    ],
    'test/packages/audit.test.ts': [
      'fails with the name, the severity and the advisory of a package that the bot runs with',
      'every package that the bot runs with has a permissive license',
    ],
    'test/deployment/image.test.ts': [
      'runs the command of npm start as a non-root user',
      'the page Install tells how to pin the digest of every image',
    ],
    'test/deployment/compose.test.ts': [
      'gives %s no capabilities, no new privileges and a read-only file system',
      'gives Redis a password, and finds it healthy only with that one',
      'does not start Redis with a password of fewer than 32 characters, and says how to make one',
      'gives every secret as a file, and none as a variable',
    ],
    'test/deployment/kubernetes.test.ts': [
      'gives every secret as a file, and none as a variable',
      'runs as the restricted profile of Kubernetes asks, with a read-only file system',
    ],
    'test/deployment/systemd.test.ts': ['leaves the bot little that it could do to the machine'],
  },
  'Flooding, slow or malformed senders': {
    'test/http/server.test.ts': [
      'headers over 16 KiB are refused',
      'the total size of bodies in memory is limited over all connections, and finished bodies free space',
      'a header that arrives one letter at a time',
      'a connection over the limit is refused, and idle connections make room',
      'neither the software and its version nor the cause of an internal error',
    ],
    'test/slack/in/http.test.ts': [
      'with %s is refused before its body is read',
      'is read while large bodies fill the memory',
    ],
    'test/scenarios/forged.test.ts': [
      'webhooks that fill their memory do not lock out Slack, and Slack requests without a signature take no memory',
      'many refused Slack requests are one log line and a number in the metrics',
    ],
    'test/governance/perform/resolve-input.test.ts': [
      'with many readings searches for suggestions only for the likeliest, and lets the event loop run between them',
    ],
    'test/fuzz/fuzz.test.ts': ['$what cause no crash and no hang, and do only what they may'],
    'test/features/webhooks/route.test.ts': ['answers 413 to an endless body and closes the connection'],
    'test/features/webhooks/webhook-counters.test.ts': [
      'cost one write and one log line for a thousand refused webhooks',
    ],
    'test/scenarios/tenants-apart.test.ts': [
      'connections that never finish their bodies keep out no webhook, and unsigned ones are refused by their head',
    ],
    'test/quiz-api/budget/ledgers.test.ts': [
      'grants permits to people first, and to background work those that are not reserved',
    ],
    'test/features/webhooks/signature.test.ts': [
      'a header full of signatures costs the scheme “%s” no more than one signature',
    ],
  },
  'One person uses up everything': {
    'test/scenarios/rights.test.ts': [
      'a member whom the quiz account does not know costs one request and one entry on the record, however often they come',
    ],
    'test/quiz-api/budget/request-budget.test.ts': [
      'gives a %s %i requests of a minute and half of an hour, and tells them when they can go on',
      'keeps six requests of a minute for administrators, and tells the others when they can go on',
    ],
    'test/governance/perform/explain-failure.test.ts': [
      'every failure is told in one sentence, and counted as the bot’s where it is',
    ],
  },
  'Web page that reaches the sandbox': {
    'test/sandbox/quiz-service/api.test.ts': ['%s gets neither the API nor a page', '%s gets both'],
  },
  'Public `/metrics`, `/healthz`, `/readyz`': {
    'test/deployment/compose.test.ts': ['exposes only the routes that Slack, agents and the quiz service call'],
    'test/health/shown-alike.test.ts': ['a store that cannot be used shows the same everywhere'],
  },
};

test('SECURITY.md has exactly these threats, each with a defense and what remains', () => {
  const rows = [...read('SECURITY.md').matchAll(/^\| \*\*(.+?)\*\*[^|]*\| [^|]{20,} \| [^|]{10,} \|$/gm)];
  expect(rows.map(([, threat]) => threat)).toEqual(Object.keys(threats));
});

const evidence = Object.entries(threats).flatMap(([threat, files]) =>
  Object.entries(files).flatMap(([file, names]) => names.map((name) => [threat, file, name] as const)),
);

test.each(evidence)('“%s” is tested in %s by “%s”', (_threat, file, name) => {
  const titles = [...read(file).matchAll(/(?:test|it|\))\(\s*(['"`])(.+?)\1,/g)].map(([, , title]) => title);
  expect(titles).toContain(name);
});
