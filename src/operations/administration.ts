import { defineOperation } from './operation.ts';

export const listRequests = defineOperation({
  name: 'list-requests',
  command: '/quiz-admin approvals',
  summary: 'List requests that wait for your approval, and your own',
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
  summary: 'Show the status of the bot: quiz service, requests left, webhooks, alerts, approvals and audit trail',
  access: 'read',
  right: 'administrator',
  submit: 'Show',
  fields: {},
  async run({ records }) {
    const [status, openRequests, head, missing] = await Promise.all([
      records.status(),
      records.countOpenRequests(),
      records.auditHead(),
      records.missingAuditEnd(),
    ]);
    return { kind: 'status', status, openRequests, auditEntries: head.position, isAuditWhole: missing === undefined };
  },
});

export const whoAmI = defineOperation({
  name: 'who-am-i',
  command: '/quiz-admin whoami',
  summary: 'Show who you are in the quiz account, and what you can do',
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run({ actor, rights, visibility }) {
    return { kind: 'who', actor, rights: [...rights], seesEveryQuiz: visibility.seesEveryQuiz };
  },
});
