import { listRequests, showStatus, whoAmI } from './administration.ts';
import { alertOperations } from './alerts/alerts.ts';
import { batchResult, cancelBatch, pauseBatch, resumeBatch, undoBatch } from './batches/control-batch.ts';
import { emptyGroup, reinstateGroup, suspendGroup } from './batches/group-members.ts';
import { runBatch } from './batches/run-batch.ts';
import { showRows } from './batches/show-rows.ts';
import { campaignOperations } from './campaigns/campaigns.ts';
import { assignQuiz, unassignQuiz } from './assignments.ts';
import { deleteResponse, sendFiles, showAttempt } from './attempts.ts';
import { showAudit } from './audit.ts';
import { createUser } from './create-user.ts';
import { addToGroup, assignToGroup, listGroups, removeFromGroup, showGroup, unassignFromGroup } from './groups.ts';
import { importUsers } from './import/import-users.ts';
import { listQuizzes } from './list-quizzes.ts';
import { listUsers } from './list-users.ts';
import { showMissing } from './missing.ts';
import type { Operation } from './operation.ts';
import { closeQuiz, copyQuiz, createQuiz, deleteQuiz, myQuizzes, openQuiz, renameQuiz } from './quizzes.ts';
import { exportResults, showResults } from './results.ts';
import { showQuiz } from './show-quiz.ts';
import { updateUser } from './update-user.ts';
import { deleteUser, findUser, reinstateUser, resetPassword, showUser, suspendUser } from './users.ts';

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
