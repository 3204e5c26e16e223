/** Tasks of the forum. New templates must be added at the end, because their order determines the task numbers. */
import { biography, blockUser, createForum, describeForum, writeMessage } from "./forum-accounts.js";
import {
  bestCommenter,
  linkPosts,
  moderatedForums,
  mostSubscribers,
  oldestAccount,
  ownAnswers,
  topAuthor,
  unpopularComments,
} from "./forum-find.js";
import { editSidebar, scoreOfPost, subscriberCount } from "./forum-impossible.js";
import { openAuthorComments, openBestComment, openMostCommented, openRanking } from "./forum-navigate.js";
import { deleteComment, editPost } from "./forum-own.js";
import { commentOnTop, replyTo, repost, submitAnywhere, submitText } from "./forum-posts.js";
import { retractVote, subscribeSmallest, unsubscribeLarge, voteNewest, voteTop, voteUser } from "./forum-votes.js";
import type { Template } from "./template.js";

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
