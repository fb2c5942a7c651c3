import { decideRequest, withdrawRequest } from '../features/administration/decide-request.ts';
import { listRequests, showStatus, whoAmI } from '../features/administration/status.ts';
import { chooseLanguage, turnMessages } from '../features/administration/own-settings.ts';
import { showToday } from '../features/administration/today-facts.ts';
import { listTokens, makeToken, revokeToken } from '../features/agents/operations/agent-tokens.ts';
import { alertOperations } from '../features/alerts/operations/alerts.ts';
import {
  batchResult,
  cancelBatch,
  pauseBatch,
  resumeBatch,
  undoBatch,
  reopenPreview,
} from '../features/batches/operations/control-batch.ts';
import { erasePerson } from '../features/erasing/operations/erase-person.ts';
import { dismissDeparted, suspendDeparted } from '../features/departures/operations/departed.ts';
import { emptyGroup, reinstateGroup, suspendGroup } from '../features/batches/operations/group-members.ts';
import { runBatch } from '../features/batches/operations/run-batch.ts';
import { showPlan } from './define-plan.ts';
import { campaignOperations } from '../features/campaigns/operations/campaign-operations.ts';
import {
  forMe,
  myReportAfterAll,
  notMe,
  notMyReport,
  snoozeReminders,
} from '../features/campaigns/operations/own-answers.ts';
import { showQuestions } from '../features/questions/operations/show-questions.ts';
import { sendEvidence } from '../features/evidence/send-evidence.ts';
import { assignQuiz, unassignQuiz } from '../features/quizzes/assign-and-unassign.ts';
import { deleteResponse } from '../features/results/attempt.ts';
import { sendFiles, showAttempt } from '../features/results/attempt-page.ts';
import { showAudit } from '../features/administration/show-audit.ts';
import { createUser } from '../features/users/create-user.ts';
import {
  addToGroup,
  removeFromGroup,
  assignToGroup,
  unassignFromGroup,
  listGroups,
  showGroup,
} from '../features/groups/groups.ts';
import { importUsers } from '../features/imports/import-users.ts';
import { showUndo, takeBackQuiz, takeBackUser } from '../features/administration/take-back.ts';
import { listQuizzes, showQuiz, myQuizzes } from '../features/quizzes/list-and-show.ts';
import { listUsers, findUser, showUser } from '../features/users/list-and-show.ts';
import { allResults, showResults, showMissing } from '../features/results/show-results.ts';
import { listLentRights, revokeLentRights, takeRightsBack } from '../features/workflows/operations/lent-rights.ts';
import type { Operation } from './operation.ts';
import { closeQuiz, openQuiz } from '../features/quizzes/open-and-close.ts';
import { copyQuiz, createQuiz, renameQuiz, deleteQuiz } from '../features/quizzes/make-and-delete.ts';
import { exportResults } from '../features/results/export-results.ts';
import { updateUser } from '../features/users/update-user.ts';
import { deleteUser, reinstateUser, suspendUser, resetPassword } from '../features/users/state.ts';

/** Everything a person can do, in the order of the help. */
export const catalog: readonly Operation[] = [
  showToday,
  listQuizzes,
  showQuiz,
  createQuiz,
  renameQuiz,
  openQuiz,
  closeQuiz,
  copyQuiz,
  deleteQuiz,
  takeBackQuiz,
  showUndo,
  assignQuiz,
  unassignQuiz,
  showResults,
  showQuestions,
  exportResults,
  allResults,
  showMissing,
  showAttempt,
  sendFiles,
  deleteResponse,
  myQuizzes,
  listUsers,
  showUser,
  findUser,
  createUser,
  importUsers,
  updateUser,
  suspendUser,
  reinstateUser,
  suspendGroup,
  reinstateGroup,
  suspendDeparted,
  dismissDeparted,
  resetPassword,
  deleteUser,
  takeBackUser,
  listGroups,
  showGroup,
  addToGroup,
  removeFromGroup,
  emptyGroup,
  assignToGroup,
  unassignFromGroup,
  ...alertOperations,
  ...campaignOperations,
  notMe,
  forMe,
  snoozeReminders,
  notMyReport,
  myReportAfterAll,
  sendEvidence,
  listRequests,
  decideRequest,
  withdrawRequest,
  showAudit,
  showStatus,
  erasePerson,
  whoAmI,
  turnMessages,
  chooseLanguage,
  makeToken,
  listTokens,
  revokeToken,
  listLentRights,
  revokeLentRights,
  takeRightsBack,
  showPlan,
  reopenPreview,
  runBatch,
  pauseBatch,
  resumeBatch,
  cancelBatch,
  batchResult,
  undoBatch,
];

export function operationNamed(wanted: string): Operation | undefined {
  return catalog.find(({ name, formerly }) => name === wanted || formerly?.includes(wanted));
}
