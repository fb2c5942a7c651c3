import type { HostileMend } from './mend.ts';

const performRow = 'src/governance/perform/perform-row.ts';
const controlBatch = 'src/features/batches/operations/control-batch.ts';
const neededApproval = 'src/features/campaigns/operations/add.ts';
const execute = 'src/governance/perform/execute.ts';
const storedBatch = 'src/features/batches/stored-batch.ts';
const createUser = 'src/features/users/create-user.ts';
const startPlan = 'src/operations/define-plan.ts';
const campaignNow = 'src/features/campaigns/operations/run-campaign.ts';
const plannedCampaign = 'src/features/campaigns/operations/who-takes-part.ts';

/** Of changes of many, plans and campaigns. */
export const batchMends: readonly HostileMend[] = [
  {
    name: '1. rights of the owner are read right before a row that concerns rights',
    kind: 'many',
    finds: 'policy: users +',
    edits: [{ file: performRow, text: 'return isRight ? 0 : knownForMs;', instead: 'return knownForMs;' }],
  },
  {
    name: '2. each row needs what its operation needs, whatever its owner has left',
    kind: 'many kills',
    finds: 'policy: users +',
    edits: [
      {
        file: performRow,
        text: 'context.rights.has(operation.right);',
        instead: 'true;',
      },
      {
        file: performRow,
        text: 'return unapproved(batchWords.needsApproval);',
        instead: "return { kind: 'made', result: await run(operation, input, context) };",
      },
    ],
  },
  {
    name: '3. an approval is for the user who was shown',
    kind: 'many',
    finds: 'policy: users email_address',
    edits: [
      { file: performRow, text: 'row.shown !== digestOfUsers(operation, input)', instead: "row.shown === 'nobody'" },
    ],
  },
  {
    name: '4. what needs approval now is not made without one',
    kind: 'many',
    finds: 'policy: users suspended',
    edits: [
      {
        file: performRow,
        text: 'return unapproved(batchWords.needsApproval);',
        instead: "return { kind: 'made', result: await run(operation, input, context) };",
      },
    ],
  },
  {
    name: '4. the target is read right before, and chosen again',
    kind: 'many',
    finds: 'policy: users suspended',
    edits: [
      {
        file: performRow,
        text: "if (known.kind !== 'read' || !concernsRights(operation, known.input)) return known;",
        instead: "if (known.kind !== 'gone') return known;",
      },
    ],
  },
  {
    name: '5. the owner can still see what a row is about',
    kind: 'many',
    finds: 'policy: user_quizzes +',
    edits: [
      {
        file: performRow,
        text: 'const found = await resolveNow(operation, turn, context);',
        instead: 'const found = await resolveNow(operation, turn, { ...context, visibility: everything });',
      },
      {
        file: performRow,
        text: "} from './meaning.ts';",
        instead: "} from './meaning.ts';\nimport { everything } from '../rights/visibility.ts';",
      },
    ],
  },
  {
    name: '7. a user of the same name is another one',
    kind: 'many',
    finds: 'stranger',
    edits: [
      {
        file: createUser,
        text: 'if (isAsAsked(user, asked)) return created',
        instead: "if (isAsAsked(user, asked) || user.user_id !== '') return created",
      },
    ],
  },
  {
    name: 'an approval that has expired approves no row',
    kind: 'leaps',
    finds: 'policy: users',
    edits: [{ file: performRow, text: 'if (now() >= approval.expiresAt)', instead: 'if (now() < 0)' }],
  },
  {
    name: 'resuming asks where the approval has expired',
    kind: 'leaps',
    finds: 'policy: users',
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
  },
  {
    name: '6. adding people to a campaign needs the approval that a start with them would',
    kind: 'many',
    finds: 'policy: ',
    edits: [
      {
        file: neededApproval,
        text: 'return approvalFor(newcomers(people, campaign), campaign.members.length);',
        instead: 'return approvalFor([], campaign.members.length);',
      },
    ],
  },
  {
    name: '8. a campaign for a closed quiz cannot be approved',
    kind: 'many',
    finds: 'policy: ',
    edits: [{ file: campaignNow, text: "quiz.status === 'closed'\n", instead: "quiz.name === ''\n" }],
  },
  {
    name: '9. a step of a workflow stops at a warning',
    kind: 'many',
    finds: 'policy: ',
    edits: [
      {
        file: execute,
        text: 'const warned = await warningAbout(wanted);',
        instead: "const warned = request.through === 'workflow' ? undefined : await warningAbout(wanted);",
      },
    ],
  },
  {
    name: 'a campaign is judged when it starts, not when it is previewed',
    kind: 'many',
    finds: 'policy: campaign_members',
    edits: [
      {
        file: plannedCampaign,
        text: "return valueOf(isTrained ? content : { ...content, approval: 'other people' });",
        instead: 'return valueOf(isTrained ? content : { ...content });',
      },
    ],
  },
  {
    name: 'nobody starts the plan of another person',
    kind: 'many',
    finds: 'policy: run-campaign of plan',
    edits: [
      {
        file: startPlan,
        text: 'if (plan.personId !== context.actor.personId)',
        instead: 'if (plan.id === context.actor.personId)',
      },
    ],
  },
];
