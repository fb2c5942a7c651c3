import { defineOperation } from '../../operations/operation.ts';
import { say } from '../../domain/said.ts';
import { requestsPage } from './pages/requests.ts';

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
  async run({ records }) {
    return { kind: 'page', ...requestsPage(await records.openRequests()) };
  },
});
