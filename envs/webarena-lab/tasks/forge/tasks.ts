/** Tasks of the code forge. New templates must be added at the end, because their order determines the task numbers. */

import type { Template } from "../common/template.js";
import { busiestInYear, commitsInRange, topContributor, topThree } from "./commits.js";
import { forkAs, newGroup, privateProject } from "./create.js";
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
} from "./find.js";
import { closeIssue, createIssue, planIssue } from "./issues.js";
import { approveMerge, mergeIt, openMerge } from "./merges.js";
import { branchCommits, closedByAuthor, issuesByLabel, latestWith, myMergeRequests, todoFrom } from "./navigate.js";
import { addMilestone, describe, editProfile, followTwo, inviteTwo, replaceFile, starTop } from "./projects.js";

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
