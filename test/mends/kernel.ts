import { mendsOf, type Mend } from './mend.ts';

/** Of how a change is judged, made and put on the record, and of passwords. */
export const kernel: readonly Mend[] = [
  ...mendsOf('src/governance/perform/execute.ts', 'test/governance/perform/execute.test.ts', {
    'a refused person learns no names': [
      `if (!canHave(operation, context.rights))
`,
      `if (!canHave(operation, context.rights) && operation.fields === undefined)
`,
    ],
    'a warning is confirmed before anything changes': ['if (warned) return warned;', ''],
    'rights are read anew before a change': [
      'if (!needsFresh(operation, cached)) return proceed(cached);',
      'if (cached.personId !== "") return proceed(cached);',
    ],
  }),
  ...mendsOf('src/governance/perform/judge.ts', 'test/governance/perform/judge.test.ts', {
    'nobody takes rights from themselves': [
      "if (isOwnLoss(operation, input, actor)) return refused('own loss', ownLoss);",
      '',
    ],
    'an approver does not approve their own loss': [
      `return isOwnLoss(operation, input, approver.actor) || isLostToBot(operation, input, approver.actor)
`,
      `return isLostToBot(operation, input, approver.actor)
`,
    ],
    'an approver has the right to decide': [
      'if (approver && !mayDecide(operation, input, approver.rights))',
      'if (approver && !approver.rights.has(operation.right))',
    ],
  }),
];
