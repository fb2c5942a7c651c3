import { mendsOf, type Mend } from './mend.ts';

/** Of files of people. */
export const imports: readonly Mend[] = [
  ...mendsOf('src/features/imports/plan-rows.ts', 'test/features/imports/import-users.test.ts', {
    'a person who stands twice in a file is made once': [
      "if (found.kind !== 'conflict') for (const address of addresses) lines.set(foldAddress(address), line);",
      '',
    ],
    'what a row leaves empty stays': [
      'firstName: person.firstName || user.first_name,',
      'firstName: person.firstName,',
    ],
  }),
];
