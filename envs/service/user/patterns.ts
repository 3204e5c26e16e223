/**
 * Patterns for the English of agents, in lower case with straight apostrophes. Each pattern is matched with one sentence of at
 * most a few hundred characters.
 */
import type { Topic } from "./topics.js";

/** Beginnings of sentences that request an answer without a question mark. */
export const requests: readonly RegExp[] = [
  /\b(could|can|would|will|may|might) (you|i) (please |kindly |also |just )*(have|get|know|ask|tell|give|share|provide|confirm|specify|send|state|let|clarify|verify|supply|indicate|type|say|mention|help)\b/,
  /\b(please|kindly) (also |just |first |then )*(provide|share|tell|give|confirm|specify|send|state|let me know|clarify|verify|supply|indicate|enter|reply|respond|choose|select|answer|type|describe|explain|pick|name)\b/,
  /\b(i|we)( will|'ll| would|'d| still| also| just| first)* (need|require|like|want)( to (know|ask|have|confirm|verify|check)| you to| your| the| a)\b/,
  /\blet me know\b(?! if (there|you need|you have|i can))|\btell me\b|\bi have to ask\b|\bin order to (proceed|help|continue).*\byour\b/,
  /^[\w ,'-]{2,40},? please\W*$/,
  /^(which|what|whats|when|where|who|why|how|do you|did you|are you|is it|is this|is that|would you|should i|shall i|may i|can i|confirm|provide|share)\b/,
];

/** Sentences with a request that ask for nothing. */
export const noRequests: readonly RegExp[] = [
  /\bplease (note|wait|be (aware|patient|assured|advised)|allow|hold|bear|accept|rest|expect|remember|keep|give me (a|one) (moment|minute|second))\b/,
  /\b(i|we)( would|'d) like to (apologi[sz]e|thank|inform|let you know)\b/,
  /\blet me (check|look|see|pull|find|review|verify (this|that|it|the (order|booking|record)))\b/,
];

export const topicPatterns: Readonly<Record<Topic, readonly RegExp[]>> = {
  postcode: [
    /\b(post ?-?codes?|postal ?codes?|zip(-| )?codes?|zip)\b/,
    /\byour identity\b|\bidentity (check|verification)\b|\bverify (that )?(you|it'?s you|this is you)\b|\bverification\b/,
    /\bsecurity (question|check|answer)\b|\b(verify|authenticate) (your (account|self|profile)|yourself)\b/,
    /\bprove (that )?(it'?s|you are|you're|who)\b/,
  ],
  name: [
    /\b(full|first|last|complete|family|your|given) names?\b|\bname (on|of|under|associated|used|for|attached|linked)\b/,
    /\b(which|what) name\b|\bwho (am i|are we) (speaking|talking|chatting) (to|with)\b|\bwho (are you|is (this|speaking))\b|\bwhose (order|account|booking)\b/,
    /\byour (account|customer) (details|id|number|information)\b/,
  ],
  email: [/\be-? ?mail\b/],
  record: [
    /\b(order|purchase|invoice|booking|reservation|ticket|confirmation|reference) ?-?(number|id|no|reference|code|#)(?=\W|$)/,
    /\b(which|what)( exact| specific| particular)?( one)?( of (your|the|these|those|them))?( \w+){0,2} (orders?|purchases?|bookings?|reservations?|journeys?|tickets?)\b/,
    /\b(order|booking) (do|did|are|would|should) (you|i|we)\b/,
    /\bwhen (did you|you (placed|ordered|bought|booked|made)|was (it|this|that|the|your)|were you)\b|\b(date|day) (of|you) (the |your |made |placed )*(order|purchase|booking|ordered|bought|booked)\b/,
    /\b(order|purchase|booking) (date|details)\b|\bdetails (of|about|on) (the|your) (order|booking|purchase)\b|\b(date|day) (on which )?(you|it was) (ordered|bought|booked|placed)\b/,
  ],
  item: [
    /\b(which|what)( exact| specific| particular)?( of (your|the|these|those))?( \w+)? (items?|products?|articles?|goods?|things?)\b/,
    /\bwhat (exactly )?(do|would|did) you (want|like|wish|need) to (return|send back|exchange|swap|replace)\b/,
  ],
  target: [
    /\b(new|delivery|shipping|correct|updated|right|full|complete|which|what|destination|preferred|exact|different)( \w+){0,2} address\b/,
    /\bwhere (should|shall|would|do|can|may|to|must)\b(?!.*\b(refund|money)\b)|\baddress (should|would|shall|do|to|you)\b|\bstreet\b/,
    /\b(which|what)( other| new)?( \w+)? (colou?rs?|variants?|versions?|options?|sizes?|materials?|finish|models?|styles?|replacement|pattern|kind|alternative)\b(?! (would|do) you (like|want|prefer) (the|your) refund)/,
    /\b(colou?r|variant|version|replacement|material|finish)\b.*\b(would|do|should|did) (you|i|it)\b|\b(preferred|desired|new) (colou?r|variant|version|item|material|finish)\b/,
    /\b(which|what)( \w+){0,2} (would|do|should) (you|i|we) (\w+ )?(want |like |prefer |have )?(\w+ )?(instead|in exchange|swap|exchange|replace)\b/,
    /\b(swap|exchange|replace|change) (it|this|that|the \w+( \w+)?) (for|with|to|into)( what| which)?\W*$/,
    /\b(which|what)( \w+){0,3} (dates?|days?|times?|trains?|trips?|departures?|connections?|services?)\b(?!.*\b(order(ed)?|bought|purchased?|placed)\b)/,
    /\bwhen (would|do|should|shall|can) (you|i|we)\b|\b(new|preferred|desired|alternative|travel|departure)( \w+)? (dates?|days?|times?|departures?|trains?|connections?)\b/,
  ],
  method: [
    /\b(refund|payment|payout|compensation) (method|option|preference|type|destination)s?\b|\bmethod of (payment|refund)\b/,
    /\b(how|where|which|what)\b.*\b(refund(ed)?|money|compensation|paid (back|out)|reimburse\w*|credited)\b(?! amount)/,
    /\b(refund|money|amount|credit|compensation|it|this|paid)\b.*\b(to|on|onto|via|by|as|in|into|through)\b.*\b(card|voucher|gift card|original|account|credit|cash)\b.*\bor\b/,
    /\b(gift card|store credit|voucher|original (payment|card|method)|credit card|debit card)\b.*\bor\b/,
    /\b(card-\d{4}|gift-\d{4})\b.*\bor\b|\b(which|what) (card|account)\b/,
  ],
  seat: [/\bseats?\b|\baisle\b|\bwindow\b/],
  reason: [
    /(?<!\b(security|privacy|verification|safety|protection|policy|legal|technical) )\breasons?\b|\bwhy\b|\bwhat('s| is| was| seems to be| went)?( the| exactly)? (wrong|matter|problem|issue|defect|fault)\b/,
    /\b(is|are|was|were|did|does|has|have)\b.*\b(damaged|defective|faulty|broken|unwanted|defects?)\b/,
    /\bwhat (happened|caused)\b|\bcondition\b|\bhow (is|was) (it|the \w+) (damaged|broken)\b|\b(damaged|defective|broken|faulty)\b.*\bor\b/,
  ],
  want: [
    /\bhow (can|may|could|might) (i|we) (help|assist|be of)\b|\bwhat (can|may|could) (i|we) do\b/,
    /\bwhat (would|do|should) you (like|want|need|prefer|wish) ?(me |us )?(to )?(do|happen|have done|instead|in this case|as a solution)?\W*$/,
    /\b(refund|return|exchange|replacement|money back)\b.*\bor\b.*\b(refund|return|exchange|replacement|money back|another|new one|different)\b/,
    /\bhow (would|do|should|shall) (you|i|we)( \w+)? (like |want |wish )?(me |us )?(to )?(proceed|resolve|handle|help|solve|continue|go on)\b/,
    /\b(outcome|resolution|solution|alternative) (do|would|are) you\b|\b(describe|explain|details (of|about)) (your |the )?(issue|problem|request|concern)\b|\bwhat you need\b|\bwhat (is|was) (your request|this about)\b/,
    /\b(do|would) you (want|like|prefer) (something else|another option|an alternative)\b|\bwould you prefer\b.*\b(refund|exchange|return)\b/,
  ],
};

/** Questions whether the agent should do something, or whether the customer agrees. */
export const confirmPatterns: readonly RegExp[] = [
  /\b(shall|should|may|can) (i|we) (now |then |please )?(go|proceed|cancel|process|make|change|swap|refund|continue|book|upgrade|do|move|apply|charge|exchange|return|complete|submit|place|carry|update|send|issue|arrange|start|switch|rebook)\b/,
  /\bgo ahead\b|\bproceed\b|\byes or no\b|\bsounds? good\b|\bagree(d|able)?\b|\bapprov\w+\b|\bconsent\b|\bauthori[sz]e\b/,
  /\b(would|do|did) you (still )?(like|want|wish|prefer) (me |us )?to (now |then |still )?(go|proceed|continue|cancel|process|make|change|swap|refund|book|upgrade|do|move|apply|charge|exchange|return|complete|submit|pay|keep|update|have|switch|rebook)\b/,
  /\b(do|would|will) you (still )?(accept|confirm|want (it|that|this)|be (ok|okay|fine|willing|happy))\b/,
  /\bare you (ok|okay|fine|happy|sure|willing|comfortable|alright|all right|in agreement|certain)\b/,
  /\b(is|would|will|does)( that| this| it| everything| the (fee|price|charge|cost|amount|difference)( of \S+)?)( be| sound| look| work)* (ok|okay|fine|alright|all right|acceptable|correct|good|right|work)\b/,
  /\b(please |kindly |you )?confirm\b(?! (your|the (order|booking|account|name|e-?mail|post|new|address)|which|what|who))/,
  /\binterested\b|\bwhat you (want|would like|had in mind)\W*$/,
  /\b(ok|okay|alright|all right|right|correct)\W*$|\b(say|reply|respond|answer|type)( with)? "?'?yes\b/,
];

export const elsePatterns: readonly RegExp[] = [
  /\b(anything|something|any thing) else\b|\b(any|further|more|additional|other) (other )?(questions?|help|assistance|requests?|concerns?|issues?)\b/,
  /\b(did|does) (that|this|it) (answer|help|resolve|solve|cover)\b/,
  /\bif (there is|there's|you need|you have|you require|i can)\b/,
];

/** Statements that something cannot be done. */
export const refusalPatterns: readonly RegExp[] = [
  /\b(cannot|can ?not|can't|am unable|are unable|unable to|not able to|won't be able)\b(?! (find|locate|see|access|verify|identify|tell|share|discuss|disclose|confirm|proceed|continue|help you (until|without|unless|before)))/,
  /\bcan no longer\b|\b(not|isn't|no longer|never) (be )?(possible|allowed|permitted|eligible|entitled|refundable|returnable|available|an option|in stock)\b|\bimpossible\b/,
  /\b(does not|doesn't|do not|don't|won't) (allow|permit|cover|qualify|accept)\b|\b(sold out|out of stock|unavailable|ineligible|against (the|our|company) policy|too late)\b/,
  /\b(outside|past|beyond|after) (of )?(the|our|your) (return|exchange|refund|time|\d+[- ]day)?[ -]?(window|period|limit|deadline)\b|\b(has|have) (already )?(expired|passed|ended)\b/,
  /\b(must|have to|need to) (refuse|decline|deny|say no)\b|\bno (refund|compensation|exchange|return|change)s? (is|are|can|will)\b|\bnot (entitled|due)\b/,
];

/** Reports of what was done or what will happen. */
export const reportPatterns: readonly RegExp[] = [
  /\b(i|we)('ve| have|'m| am|'ll| will)?( now| already| just| successfully| also)* (cancel\w*|chang(ed|ing)|updat(ed|ing)|swapp\w+|process\w*|refund\w*|exchang\w+|upgrad\w+|mov(ed|ing)|book\w*|arrang\w+|complet\w+|issu\w+|return\w*|fix\w*|set|ma(d|k)e|done|transfer\w*|verif\w+|found|check\w*|replac\w+|rebook\w*|switch\w*|apply|appli\w+)\b/,
  /\b(is|are|was|were|been|be|gets?|got)( now| already| successfully| fully)* (cancel\w*|chang\w+|updat\w+|swapp\w+|process\w*|refund\w*|exchang\w+|upgrad\w+|moved|booked|arranged|completed?|issued|returned|done|set|ready|on its way|shipped|delivered|verified|confirmed|transferred|credited|paid|scheduled|replaced|switched)\b/,
  /\b(you|it|your \w+|the \w+)('ll| will| should| can expect)( now| then)? (receive|get|have|be|arrive|go|depart|leave|travel|come|cost|see)\b/,
  /\b(taken care of|sorted( out)?|dealt with|handled|went through|gone through|successful(ly)?|in place)\b/,
  /^(done|all (set|done)|it is done|it's done|that's done|completed)\b|\ball set\b|\b(you|it) (get|gets|receive|costs?|arrives?|departs?|leaves?|goes)\b/,
];

export const waitPatterns: readonly RegExp[] = [
  /\b(one|a|just a|a quick) (moment|minute|second|sec)\b|\bplease wait\b|\bbear with\b|\bhold on\b|\bgive me\b/,
  /\blet me (check|look|see|pull|find|verify|review|have a look|take a look|get)\b/,
  /\b(i|we)('ll| will|'m| am|'re| are)( now| going to| just)* (check\w*|look\w*|review\w*|search\w*|investigat\w*|see|do (that|this|it)|take care|get (this|that|it)|start\w*|proceed\w*)\b/,
];

export const politePatterns: readonly RegExp[] = [
  /^\W*(thank|thanks|hello|hi|hey|good (morning|day|afternoon|evening)|welcome|dear|you('re| are) welcome|have a|goodbye|bye|sorry|(i|we) (sincerely )?apologi[sz]e|(i|we)('m| am|'re| are)( very| so| really)? (sorry|glad|happy)|my pleasure|of course|sure|certainly|understood|i understand|got it|okay|ok|perfect|great|absolutely|no problem|take care)\b/,
];
