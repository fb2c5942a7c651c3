import { listRequests } from './administration/list-requests.ts';
import { showStatus } from './administration/show-status.ts';
import { whoAmI } from './administration/who-am-i.ts';
import { listTokens, makeToken, revokeToken } from './administration/agent-tokens.ts';
import { alertOperations } from './alerts/alerts.ts';
import { batchResult, cancelBatch, pauseBatch, resumeBatch, undoBatch } from './batches/control-batch.ts';
import { emptyGroup, reinstateGroup, suspendGroup } from './batches/group-members.ts';
import { runBatch, showRows } from './batches/run-batch.ts';
import { campaignOperations } from './campaigns/campaigns.ts';
import { assignQuiz, unassignQuiz } from './quizzes/assign-and-unassign.ts';
import { deleteResponse } from './results/delete-response.ts';
import { sendFiles } from './results/send-files.ts';
import { showAttempt } from './results/show-attempt.ts';
import { showAudit } from './administration/audit.ts';
import { createUser } from './users/create-user.ts';
import { addToGroup, removeFromGroup } from './groups/add-and-remove.ts';
import { assignToGroup, unassignFromGroup } from './groups/assign-and-unassign.ts';
import { listGroups } from './groups/list-groups.ts';
import { showGroup } from './groups/show-group.ts';
import { importUsers } from './import/import-users.ts';
import { listQuizzes } from './quizzes/list-quizzes.ts';
import { listUsers } from './users/list-users.ts';
import { showMissing } from './results/show-missing.ts';
import type { Operation } from './operation.ts';
import { closeQuiz, openQuiz } from './quizzes/open-and-close.ts';
import { copyQuiz } from './quizzes/copy-quiz.ts';
import { createQuiz } from './quizzes/create-quiz.ts';
import { deleteQuiz } from './quizzes/delete-quiz.ts';
import { myQuizzes } from './quizzes/my-quizzes.ts';
import { renameQuiz } from './quizzes/rename-quiz.ts';
import { exportResults } from './results/export-results.ts';
import { showResults } from './results/show-results.ts';
import { showQuiz } from './quizzes/show-quiz.ts';
import { updateUser } from './users/update-user.ts';
import { deleteUser } from './users/delete-user.ts';
import { findUser } from './users/find-user.ts';
import { reinstateUser, suspendUser } from './users/suspend-and-reinstate.ts';
import { resetPassword } from './users/reset-password.ts';
import { showUser } from './users/show-user.ts';

/** Everything a person can do, in the order of the help. */
export const catalog: readonly Operation[] = [
  listQuizzes,
  showQuiz,
  createQuiz,
  renameQuiz,
  openQuiz,
  closeQuiz,
  copyQuiz,
  deleteQuiz,
  assignQuiz,
  unassignQuiz,
  showResults,
  exportResults,
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
  resetPassword,
  deleteUser,
  listGroups,
  showGroup,
  addToGroup,
  removeFromGroup,
  emptyGroup,
  assignToGroup,
  unassignFromGroup,
  ...alertOperations,
  ...campaignOperations,
  listRequests,
  showAudit,
  showStatus,
  whoAmI,
  makeToken,
  listTokens,
  revokeToken,
  showRows,
  runBatch,
  pauseBatch,
  resumeBatch,
  cancelBatch,
  batchResult,
  undoBatch,
];

export function operationNamed(name: string): Operation | undefined {
  return catalog.find((operation) => operation.name === name);
}
