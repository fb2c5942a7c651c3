import { defineOperation } from './operation.ts';

export const listRequests = defineOperation({
  name: 'list-requests',
  command: '/quiz-admin approvals',
  summary: 'What waits for your approval, and what you asked for',
  access: 'read',
  right: 'staff',
  submit: 'List',
  fields: {},
  async run({ records }) {
    return { kind: 'requests', requests: await records.openRequests() };
  },
});

export const showStatus = defineOperation({
  name: 'show-status',
  command: '/quiz-admin status',
  summary: 'How the bot is doing: quiz service, requests left, webhooks, alerts, approvals, audit trail',
  access: 'read',
  right: 'administrator',
  submit: 'Show',
  fields: {},
  async run({ records }) {
    const [status, openRequests, head, missing] = await Promise.all([records.status(), records.countOpenRequests(), records.auditHead(), records.missingAuditEnd()]);
    return { kind: 'status', status, openRequests, auditEntries: head.position, isAuditWhole: missing === undefined };
  },
});

export const whoAmI = defineOperation({
  name: 'who-am-i',
  command: '/quiz-admin whoami',
  summary: 'Who you are in the quiz account, and what you may do',
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run({ actor, rights, visibility }) {
    return { kind: 'who', actor, rights: [...rights], seesEveryQuiz: visibility.seesEveryQuiz };
  },
});
