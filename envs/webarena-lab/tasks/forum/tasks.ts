/** Tasks of the forum. New templates must be added at the end, because their order determines the task numbers. */

import type { Template } from "../common/template.js";
import { biography, blockUser, createForum, describeForum, writeMessage } from "./accounts.js";
import {
  bestCommenter,
  linkPosts,
  moderatedForums,
  mostSubscribers,
  oldestAccount,
  ownAnswers,
  topAuthor,
  unpopularComments,
} from "./find.js";
import { editSidebar, scoreOfPost, subscriberCount } from "./impossible.js";
import { openAuthorComments, openBestComment, openMostCommented, openRanking } from "./navigate.js";
import { deleteComment, editPost } from "./own.js";
import { commentOnTop, replyTo, repost, submitAnywhere, submitText } from "./posts.js";
import { retractVote, subscribeSmallest, unsubscribeLarge, voteNewest, voteTop, voteUser } from "./votes.js";

export const forumTemplates: readonly Template[] = [
  topAuthor,
  openMostCommented,
  voteNewest,
  unpopularComments,
  submitText,
  ownAnswers,
  openAuthorComments,
  replyTo,
  mostSubscribers,
  voteUser,
  biography,
  openBestComment,
  oldestAccount,
  createForum,
  scoreOfPost,
  subscribeSmallest,
  bestCommenter,
  editPost,
  describeForum,
  openRanking,
  linkPosts,
  voteTop,
  submitAnywhere,
  subscriberCount,
  commentOnTop,
  moderatedForums,
  unsubscribeLarge,
  repost,
  deleteComment,
  editSidebar,
  retractVote,
  writeMessage,
  blockUser,
];
