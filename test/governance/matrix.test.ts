import { expect, test } from 'vitest';
import type { Actor } from '../../src/directory/identity.ts';
import { possibleDecisions } from '../../src/governance/policy.ts';
import { rightsOf } from '../../src/governance/rights.ts';
import { catalog } from '../../src/operations/catalog.ts';
import { actor } from '../support/builders/users.ts';

const people: Record<string, Actor> = {
  admin: actor({ user_type: 'administrator' }),
  edits: actor({ user_type: 'trainer', edit_quizzes: true }),
  users: actor({ user_type: 'trainer', manage_users: true }),
  groups: actor({ user_type: 'trainer', manage_groups: true }),
  trainer: actor({ user_type: 'trainer' }),
  respond: actor({ user_type: 'respondent' }),
  suspend: actor({ user_type: 'administrator', suspended: true }),
  guest: actor(undefined, { nobody: 'guest' }),
  stranger: actor(undefined, { nobody: 'stranger' }),
  nobody: actor(undefined),
};

/** `asks?`: at once or with approval, as the input is. */
function wordFor(verdicts: ReadonlySet<string>): string {
  if (verdicts.has('at once')) return verdicts.has('approval') ? 'asks?' : 'yes';
  return verdicts.has('approval') ? 'asks' : '-';
}

test('who can do what: at once (yes), with someone else’s approval (asks), or not at all (-)', () => {
  const heading = ['', ...Object.keys(people)];
  const rows = catalog.map((operation) => [operation.name, ...Object.values(people).map((person) => wordFor(possibleDecisions(operation, rightsOf(person))))]);
  const table = [heading, ...rows].map(([name = '', ...cells]) => `${name.padEnd(21)}${cells.map((cell) => cell.padEnd(9)).join('').trimEnd()}`);
  expect(`\n${table.join('\n')}\n`).toMatchInlineSnapshot(`
    "
                         admin    edits    users    groups   trainer  respond  suspend  guest    stranger nobody
    list-quizzes         yes      yes      yes      yes      yes      yes      -        -        -        -
    show-quiz            yes      yes      yes      yes      yes      yes      -        -        -        -
    create-quiz          yes      yes      asks     asks     asks     -        -        -        -        -
    rename-quiz          yes      yes      asks     asks     asks     -        -        -        -        -
    open-quiz            yes      yes      asks     asks     asks     -        -        -        -        -
    close-quiz           yes      yes      asks     asks     asks     -        -        -        -        -
    copy-quiz            yes      yes      asks     asks     asks     -        -        -        -        -
    delete-quiz          asks     asks     -        -        -        -        -        -        -        -
    assign-quiz          yes      yes      asks     asks     -        -        -        -        -        -
    unassign-quiz        yes      yes      asks     asks     -        -        -        -        -        -
    show-results         yes      yes      -        -        -        -        -        -        -        -
    export-results       yes      yes      -        -        -        -        -        -        -        -
    show-attempt         yes      yes      -        -        -        -        -        -        -        -
    send-files           yes      yes      -        -        -        -        -        -        -        -
    delete-response      asks     -        -        -        -        -        -        -        -        -
    my-quizzes           yes      yes      yes      yes      yes      yes      -        -        -        -
    list-users           yes      -        yes      -        -        -        -        -        -        -
    show-user            yes      -        yes      -        -        -        -        -        -        -
    find-user            yes      -        yes      -        -        -        -        -        -        -
    create-user          yes      asks     asks?    asks     asks     -        -        -        -        -
    update-user          yes      asks     asks     asks     -        -        -        -        -        -
    suspend-user         yes      -        asks     -        -        -        -        -        -        -
    reinstate-user       yes      asks     asks?    asks     -        -        -        -        -        -
    reset-password       yes      -        asks?    -        -        -        -        -        -        -
    delete-user          asks     -        asks     -        -        -        -        -        -        -
    list-groups          yes      -        -        yes      -        -        -        -        -        -
    show-group           yes      -        -        yes      -        -        -        -        -        -
    add-to-group         yes      asks     -        yes      -        -        -        -        -        -
    remove-from-group    yes      asks     -        yes      -        -        -        -        -        -
    assign-to-group      yes      yes      -        asks     -        -        -        -        -        -
    unassign-from-group  yes      yes      -        asks     -        -        -        -        -        -
    subscribe-channel    yes      yes      -        -        -        -        -        -        -        -
    list-alerts          yes      yes      -        -        -        -        -        -        -        -
    unsubscribe-channel  yes      yes      -        -        -        -        -        -        -        -
    pause-alerts         yes      yes      -        -        -        -        -        -        -        -
    resume-alerts        yes      yes      -        -        -        -        -        -        -        -
    test-alerts          yes      yes      -        -        -        -        -        -        -        -
    list-requests        yes      yes      yes      yes      yes      -        -        -        -        -
    show-audit           yes      -        -        -        -        -        -        -        -        -
    show-status          yes      -        -        -        -        -        -        -        -        -
    who-am-i             yes      yes      yes      yes      yes      yes      -        -        -        -
    "
  `);
});
