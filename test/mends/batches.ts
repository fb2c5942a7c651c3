import { hostile, mendsOf, type Mend } from './mend.ts';

const performRow = 'src/governance/perform/perform-row.ts';
const controlBatch = 'src/features/batches/operations/control-batch.ts';
const neededApproval = 'src/features/campaigns/operations/add.ts';
const execute = 'src/governance/perform/execute.ts';
const storedBatch = 'src/features/batches/stored-batch.ts';
const createUser = 'src/features/users/create-user.ts';
const startPlan = 'src/operations/define-plan.ts';
const campaignNow = 'src/features/campaigns/operations/run-campaign.ts';
const plannedCampaign = 'src/features/campaigns/operations/who-takes-part.ts';

/** Of changes of many, plans and campaigns, and of files of people. */
export const batches: readonly Mend[] = [
  ...mendsOf(performRow, hostile('many', 'policy: users +'), {
    'rights of the owner are read right before a row that concerns rights': [
      'return isRight ? 0 : knownForMs;',
      'return knownForMs;',
    ],
  }),
  {
    promise: 'each row needs what its operation needs, whatever its owner has left',
    edits: [
      { file: performRow, text: 'context.rights.has(operation.right);', instead: 'true;' },
      {
        file: performRow,
        text: 'return unapproved(batchWords.needsApproval);',
        instead: "return { kind: 'made', result: await run(operation, input, context) };",
      },
    ],
    foundBy: hostile('many kills', 'policy: users +'),
  },
  ...mendsOf(performRow, hostile('many', 'policy: users email_address'), {
    'an approval is for the user who was shown': [
      'row.shown !== digestOfUsers(operation, input)',
      "row.shown === 'nobody'",
    ],
  }),
  ...mendsOf(performRow, hostile('many', 'policy: users suspended'), {
    'what needs approval now is not made without one': [
      'return unapproved(batchWords.needsApproval);',
      "return { kind: 'made', result: await run(operation, input, context) };",
    ],
    'the target is read right before, and chosen again': [
      "if (known.kind !== 'read' || !concernsRights(operation, known.input)) return known;",
      "if (known.kind !== 'gone') return known;",
    ],
  }),
  {
    promise: 'the owner can still see what a row is about',
    edits: [
      {
        file: performRow,
        text: 'const found = await resolveNow(operation, turn, context);',
        instead: 'const found = await resolveNow(operation, turn, { ...context, visibility: everything });',
      },
      {
        file: performRow,
        text: "} from './meaning.ts';",
        instead: `} from './meaning.ts';
import { everything } from '../rights/rights.ts';`,
      },
    ],
    foundBy: hostile('many', 'policy: user_quizzes +'),
  },
  ...mendsOf(createUser, hostile('many', 'stranger'), {
    'a user of the same name is another one': [
      'if (isAsAsked(user, asked)) return created',
      "if (isAsAsked(user, asked) || user.user_id !== '') return created",
    ],
  }),
  ...mendsOf(performRow, hostile('leaps', 'policy: users'), {
    'an approval that has expired approves no row': ['if (now() >= approval.expiresAt)', 'if (now() < 0)'],
  }),
  {
    promise: 'resuming asks where the approval has expired',
    edits: [
      {
        file: controlBatch,
        text: 'when: ({ batch }) => batch.needsNewApproval === true }',
        instead: 'when: () => false }',
      },
      {
        file: storedBatch,
        text: 'const approval = event.approval ?? batch.approval;',
        instead: 'const approval = batch.approval && { ...batch.approval, expiresAt: Number.MAX_SAFE_INTEGER };',
      },
    ],
    foundBy: hostile('leaps', 'policy: users'),
  },
  ...mendsOf(neededApproval, hostile('many', 'policy: '), {
    'adding people to a campaign needs the approval that a start with them would': [
      'return approvalFor(newcomers(people, campaign), campaign.members.length);',
      'return approvalFor([], campaign.members.length);',
    ],
  }),
  ...mendsOf(campaignNow, hostile('many', 'policy: '), {
    'a campaign for a closed quiz cannot be approved': [
      `quiz.status === 'closed'
`,
      `quiz.name === ''
`,
    ],
  }),
  ...mendsOf(execute, hostile('many', 'policy: '), {
    'a step of a workflow stops at a warning': [
      'const warned = await warningAbout(wanted);',
      "const warned = request.through === 'workflow' ? undefined : await warningAbout(wanted);",
    ],
  }),
  ...mendsOf(plannedCampaign, hostile('many', 'policy: campaign_members'), {
    'a campaign is judged when it starts, not when it is previewed': [
      "return valueOf(isTrained ? content : { ...content, approval: 'other people' });",
      'return valueOf(isTrained ? content : { ...content });',
    ],
  }),
  ...mendsOf(startPlan, hostile('many', 'policy: run-campaign of plan'), {
    'nobody starts the plan of another person': [
      'if (plan.personId !== context.actor.personId)',
      'if (plan.id === context.actor.personId)',
    ],
  }),
  ...mendsOf('src/features/batches/batch-machine.ts', 'test/features/batches/batch-machine.test.ts', {
    'a row that may have been sent is looked up first': [
      "if (outcomeOf(state, index).kind === 'trying') return { kind: 'look', deed: { index, row, phase: 'look-up' } };",
      '',
    ],
    'a batch that is paused makes nothing': [
      "if (batch.endedAt !== null || (batch.state !== 'running' && batch.state !== 'cancelled'))",
      'if (batch.endedAt !== null)',
    ],
    'that a batch ended is put on the record': [
      "toRecord: isCancelled ? 'stopped' : 'done' }, now);",
      'toRecord: undefined as never }, now);',
    ],
    'requests of a batch are spread': [
      'nextAt = Math.max(nextAt, now() - eachMs) + (requests - atOnceNow) * eachMs;',
      'nextAt = now();',
    ],
  }),
  ...mendsOf('src/features/batches/batch-machine.ts', 'test/features/batches/held-change.test.ts', {
    'a change that was called off is not made': ['else if (next && isHeld(next)) next = undefined;', ''],
  }),
  ...mendsOf('src/features/batches/after-row.ts', 'test/features/batches/batch-machine.test.ts', {
    'respondents hear of a quiz only where the operator says so': [
      ' || !notifiesRespondents) return [];',
      ') return [];',
    ],
  }),
  ...mendsOf('src/features/batches/stored-batch.ts', 'test/features/batches/batch-machine.test.ts', {
    'a batch that is resumed judges as of then': [
      'since: event.at, failures: 0, notBefore: 0 };',
      'failures: 0, notBefore: 0 };',
    ],
  }),
  ...mendsOf('src/features/imports/plan-rows.ts', 'test/features/imports/import-users.test.ts', {
    'a person who stands twice in a file is made once': [
      "if (found.kind !== 'conflict') for (const address of addresses) lines.set(foldAddress(address), row.line);",
      '',
    ],
    'what a row leaves empty stays': [
      'firstName: person.firstName || user.first_name,',
      'firstName: person.firstName,',
    ],
  }),
];
