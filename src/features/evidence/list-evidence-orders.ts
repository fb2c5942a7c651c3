import { say } from '../../domain/said.ts';
import { defineOperation } from '../../operations/operation.ts';
import { ownOrders } from './own-orders.ts';

export const listEvidenceOrders = defineOperation({
  name: 'list-evidence-orders',
  command: '/quiz-campaign evidence-orders',
  summary: 'List the evidence packs that are sent every month, and stop them; administrators: all of them',
  title: say`Monthly evidence`,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  forPeopleOnly: true,
  uses: ['evidenceOrders'],
  fields: {},
  run: async (context) => ({ kind: 'evidence-orders', orders: await ownOrders(context) }),
});
