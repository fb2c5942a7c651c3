import { defineOperation } from '../../operations/operation.ts';
import { say } from '../../domain/said.ts';
import { statusPage } from './pages/status.ts';
import { requestsPage } from './pages/requests.ts';

export const showStatus = defineOperation({
  name: 'show-status',
  command: '/quiz-admin status',
  synonyms: ['health'],
  summary: 'Show the status of the bot: quiz service, requests left, webhooks, alerts, approvals and audit trail',
  title: say`Status of the bot`,
  access: 'read',
  right: 'administrator',
  submit: 'Show',
  fields: {},
  async run({ records }) {
    const [status, openRequests, head] = await Promise.all([
      records.status(),
      records.countOpenRequests(),
      records.auditHead(),
    ]);
    return { kind: 'page', ...statusPage({ status, openRequests, auditEntries: head.position }) };
  },
});

export const listRequests = defineOperation({
  name: 'list-requests',
  command: '/quiz-admin approvals',
  synonyms: ['requests'],
  summary: 'List requests that wait for your approval, and your own',
  title: say`Approval requests`,
  isCommon: true,
  access: 'read',
  right: 'staff',
  submit: 'List',
  fields: {},
  async run({ records, actor }) {
    return { kind: 'page', ...requestsPage(await records.openRequests(), actor.personId) };
  },
});
