/** Tasks of the code forge. New templates must be added at the end, because their order determines the task numbers. */
import { busiestInYear, commitsInRange, topContributor, topThree } from "./forge-commits.js";
import { forkAs, newGroup, privateProject } from "./forge-create.js";
import {
  licence,
  membersWithRole,
  milestoneDue,
  milestoneStart,
  mostStars,
  oldestWithLabel,
  openIssueCount,
  popularIssue,
  sshAddress,
} from "./forge-find.js";
import { closeIssue, createIssue, planIssue } from "./forge-issues.js";
import { approveMerge, mergeIt, openMerge } from "./forge-merges.js";
import {
  branchCommits,
  closedByAuthor,
  issuesByLabel,
  latestWith,
  myMergeRequests,
  todoFrom,
} from "./forge-navigate.js";
import { addMilestone, describe, editProfile, followTwo, inviteTwo, replaceFile, starTop } from "./forge-projects.js";
import type { Template } from "./template.js";

export const forgeTemplates: readonly Template[] = [
  commitsInRange,
  oldestWithLabel,
  sshAddress,
  topContributor,
  topThree,
  busiestInYear,
  membersWithRole,
  popularIssue,
  mostStars,
  milestoneDue,
  milestoneStart,
  licence,
  openIssueCount,
  issuesByLabel,
  closedByAuthor,
  myMergeRequests,
  todoFrom,
  latestWith,
  branchCommits,
  createIssue,
  planIssue,
  closeIssue,
  openMerge,
  approveMerge,
  mergeIt,
  starTop,
  followTwo,
  addMilestone,
  inviteTwo,
  privateProject,
  editProfile,
  replaceFile,
  forkAs,
  describe,
  newGroup,
];
