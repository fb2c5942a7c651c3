import { mendsOf, type Mend } from './mend.ts';

/** Of who may do and see what, of how a change is judged, made and put on the record, and of passwords. */
export const rights: readonly Mend[] = [
  ...mendsOf('src/governance/rights/policy.ts', 'test/governance/rights/policy.test.ts', {
    'a trainer asks before they suspend a user': [
      "'suspending a user': ['at once', 'approval',",
      "'suspending a user': ['at once', 'at once',",
    ],
    'making an administrator needs another person': [
      "'making an administrator': ['approval',",
      "'making an administrator': ['at once',",
    ],
    'what deletes needs approval, whoever asks': [
      "if (access !== 'write') return [{ name: ofAccess[access] }];",
      "if (access === 'read' || access === 'own') return [{ name: ofAccess[access] }];",
    ],
    'an operation whose last rule has a condition falls to every other change': [
      'rules.at(-1)?.when === undefined && rules.length > 0 ? rules',
      'rules.length > 0 ? rules',
    ],
    'whoever lacks a right can ask only for what they can name': [
      "if (rights.has('staff') && canNameAll) return other;",
      "if (rights.has('staff')) return other;",
    ],
  }),
  ...mendsOf('src/governance/rights/policy.ts', 'test/governance/rights/matrix.test.ts', {
    'a reset of the password of an administrator needs approval': [
      `'approval', 'refused'],
  'resetting the password of a respondent'`,
      `'at once', 'refused'],
  'resetting the password of a respondent'`,
    ],
    'a trainer asks before they rename a user': [
      "'changing a user’s name or address': ['at once', 'approval',",
      "'changing a user’s name or address': ['at once', 'at once',",
    ],
    'a trainer asks before they give a type or rights': [
      "'changing a user’s type or rights': ['at once', 'approval',",
      "'changing a user’s type or rights': ['at once', 'at once',",
    ],
    'a campaign for more than 100 people needs approval of an administrator, too': [
      "'starting a campaign for more than 100 people': ['approval',",
      "'starting a campaign for more than 100 people': ['at once',",
    ],
    'a channel’s subscriptions are for those who may edit quizzes': [
      "'a channel’s subscriptions': ['at once', 'at once', 'refused']",
      "'a channel’s subscriptions': ['at once', 'at once', 'at once']",
    ],
    'RIGHTS takes from everyone what nobody may do': [
      "if (level === 'nobody' || (",
      "if ((level === 'administrators') && (",
    ],
    'RIGHTS lets only administrators do what it says': [
      "(level === 'administrators' && !rights.has('administrator'))",
      "(level === 'administrators' && !rights.has('staff'))",
    ],
    'RIGHTS has a change approved that would run at once': [
      "return level === 'approval' && decision === 'at once' && access !== 'read' ? 'approval' : decision;",
      'return decision;',
    ],
  }),
  ...mendsOf('src/governance/rights/rights.ts', 'test/governance/rights/matrix.test.ts', {
    'a suspended user has no right': [
      'if (user === undefined || user.suspended) return new Set();',
      'if (user === undefined) return new Set();',
    ],
    'an administrator without a flag lacks that right': [
      "if (user.user_type === 'administrator') return new Set([...ofStaff, 'administrator']);",
      "if (user.user_type === 'administrator') return new Set(everyRight);",
    ],
    'a respondent has no flag, whatever the account says': [
      "if (user.user_type === 'trainer') return new Set(ofStaff);",
      "if (user.user_type !== '') return new Set(ofStaff);",
    ],
    'an owner has every right without a user': ['if (actor.isOwner) return', 'if (actor.isOwner && actor.user) return'],
    'RIGHTS with an operation that does not exist stops the start': [
      `if (operation === undefined)
      return [\``,
      `if (operation === undefined)
      return [].length < 1 ? [] : [\``,
    ],
  }),
  ...mendsOf('src/governance/rights/rights.ts', 'test/governance/rights/visibility.test.ts', {
    'a trainer sees the quizzes that the account names, and no others': [
      'isOfEveryQuiz: trainerquizzes.length === 0,',
      'isOfEveryQuiz: true,',
    ],
    'a trainer manages the people of the quizzes and groups that they train': [
      "user: (user) => rights.has('manage_users') && isTrained(user),",
      "user: () => rights.has('manage_users'),",
    ],
    'a trainer without manage_users manages nobody': [
      "user: (user) => rights.has('manage_users') && isTrained(user),",
      'user: isTrained,',
    ],
    'an id that cannot be read matches nothing': ["ids.filter((id) => id !== '')", 'ids'],
    'a respondent sees the quizzes of their groups': [
      ' || !ownGroups.isDisjointFrom(quizGroups.known(quiz_id) ?? new Set())',
      '',
    ],
    'a trainer manages the groups that they train': [
      "rights.has('manage_groups') && (isUnbounded || training.groups.has(group_id))",
      "rights.has('manage_groups')",
    ],
    'addresses in results are for those who manage their people': [
      "addressesIn: ({ quiz_id }) => rights.has('manage_users') && (",
      "addressesIn: ({ quiz_id }) => rights.has('staff') && (",
    ],
    'the plan of another person is for administrators': [
      'isUnbounded && content.approval !== null &&',
      'content.approval !== null &&',
    ],
  }),
  ...mendsOf('src/governance/rights/user-protection.ts', 'test/governance/rights/user-protection.test.ts', {
    'the last administrator who can manage users stays': [
      "to.user_type !== 'administrator') || to.manage_users === false",
      "to.user_type !== 'administrator')",
    ],
    'a suspended administrator is none who is left': [
      'user !== undefined && !user.suspended && user.user_id !== target.user_id',
      'user !== undefined && user.user_id !== target.user_id',
    ],
    'whoever is changed is none who is left': [
      'user !== undefined && !user.suspended && user.user_id !== target.user_id',
      'user !== undefined && !user.suspended',
    ],
    'no change is sent once the turn is lost': ['if (!isHeld()) throw new UsersBusyError();', 'isHeld();'],
    'only an administrator who can manage users counts as left': [
      "return user_type === 'administrator' && manage_users;",
      "return user_type === 'administrator' || manage_users;",
    ],
    'an address that the bot knows an administrator by is a way in': [
      "if (to === 'deleted' || to.suspended || losesAddress(change, undefined)) return true;",
      "if (to === 'deleted' || to.suspended) return true;",
    ],
    'whoever got rights through others in between got them through the first': [
      'next = givers.flatMap((one) => one.keys.filter((key) => !seen.has(key)));',
      'next = [];',
    ],
    'an owner has rights through nobody': ['if (person.isOwner || person.user', 'if (person.user'],
    'rights through a person count for 30 days': ['const keptForMs = 30 * 24', 'const keptForMs = 3 * 24'],
    'each workspace knows its own givers': ['store.get(`${teamId}:${key}`)));', 'store.get(`T1:${key}`)));'],
    'several people can have given rights': ['[...others, giver].slice(-giversAtMost)', '[giver].slice(-giversAtMost)'],
  }),
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
