/**
 * @file The documents that the server sends, as types. `bot/web/table_json.py` writes most of them.
 *
 * @typedef {"green" | "yellow" | "red" | "multi"} Color
 *
 * @typedef {Object} Card
 * @property {number} id       its kind: two equal copies have the same
 * @property {string} number   "1" to "10", "P" for a Phoenix, "D" for the Dragon
 * @property {Color} color
 * @property {string} label    the card in words, in the viewer's language
 *
 * @typedef {Object} Seat
 * @property {string} name
 * @property {boolean} is_ai
 * @property {boolean} is_you
 * @property {boolean} is_host
 * @property {number} cards_left
 * @property {number} total
 * @property {boolean} is_turn
 * @property {boolean} passed
 * @property {boolean} last_card  has said "Last card!"
 * @property {string} note        what the seat does, such as "✋ passed", or who plays it; may be empty
 * @property {Card[]} [cards]     an open hand; the replay adds it
 *
 * @typedef {Object} Play
 * @property {number} seat
 * @property {Card[]} cards
 * @property {string} text
 *
 * @typedef {Object} Choice  a legal play
 * @property {number[]} cards  ids of cards
 * @property {string} text
 * @property {number} strength  of equally strong plays, which follow each other, the one with the lowest cards first
 * @property {boolean} last_card  true if it leaves one card, so "Last card!" can be said with it
 *
 * @typedef {Object} TableEvent
 * @property {string} kind
 * @property {number | null} seat
 * @property {string} text   a sentence
 * @property {Card[]} cards
 *
 * @typedef {Object} ResultRow
 * @property {number} seat
 * @property {string} name
 * @property {number} penalty
 * @property {number} total
 * @property {number} left
 * @property {Card[]} cards  empty while others play the same deals
 *
 * @typedef {Object} Result  of the last finished hand
 * @property {number} hand
 * @property {number} winner
 * @property {ResultRow[]} rows
 * @property {string} text
 * @property {Card[]} play     the play that won it
 * @property {boolean} is_news  the viewer hasn't played in the next hand
 *
 * @typedef {Object} LobbyOption
 * @property {string} name
 * @property {string} text
 * @property {string} value
 * @property {{value: string, text: string}[]} choices
 *
 * @typedef {Object} Table
 * @property {number} number
 * @property {number} length
 * @property {number} revision
 * @property {"lobby" | "playing" | "over"} status
 * @property {string} title
 * @property {string} options
 * @property {string} hand_title
 * @property {number | null} you
 * @property {1 | -1} direction    1: counter-clockwise, to the right
 * @property {number} hand_number
 * @property {number} now          the server's time in UTC milliseconds
 * @property {number} moment
 * @property {string[]} can        the requests that the viewer may send now
 * @property {("hint" | "undo")[]} allows  the aids that this table has
 * @property {Seat[]} seats
 * @property {number} size         seats, of which some may be free in a lobby
 * @property {{seat: number, text: string, until: number | null} | null} turn
 * @property {Play[]} plays
 * @property {Card[]} hand
 * @property {"number" | "color"} sort
 * @property {Choice[]} choices
 * @property {{from: number, to: number, card: Card}[] | null} exchange
 * @property {TableEvent[]} events
 * @property {Result | null} result
 * @property {{place: number, name: string, total: number}[] | null} ranking
 * @property {string} notice
 * @property {LobbyOption[]} settings  of a lobby, for its host
 *
 * @typedef {Object} Home
 * @property {{number: number, title: string, text: string, seats: string[], is_your_turn: boolean}[]} tables
 * @property {string} today
 * @property {number} page      the number of the page of tables, from 0
 * @property {boolean} is_last  no table is on a later page
 * @property {number | null} solo  the viewer's own match against AI players
 *
 * @typedef {Object} ReplayMoment
 * @property {number} moment
 * @property {number} moments           the number of moments of the match
 * @property {string} text              what has happened
 * @property {Card[][]} hands           by seat; empty if the viewpoint is another
 *
 * @typedef {Table & ReplayMoment} Replay  `you` is the viewpoint, null for all hands
 *
 * @typedef {Object} Review
 * @property {string} text
 * @property {{moment: number, text: string}[]} moves
 *
 * @typedef {Object} Refusal
 * @property {string} refusal
 * @property {string} rule
 */

export {};
