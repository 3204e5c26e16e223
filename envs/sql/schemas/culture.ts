/** Schemas about books, music and sport. */
import { choice, date, integer, real, ref, type Schema, sometimes, table, text } from "./schema.js";

export const library: Schema = {
  name: "library",
  about: "A public library: its branches, books, copies, members and loans.",
  tables: [
    table(
      "branch",
      [6, 10],
      [text("name", "{street} Street"), text("city", "{city}"), date("opening_date", "1960-01-01", "2015-12-31")],
      "branches",
    ),
    table(
      "author",
      [60, 90],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        text("country", "{country}"),
        sometimes(0.2, integer("birth_year", 1880, 1995)),
      ],
    ),
    table(
      "book",
      [140, 200],
      [
        text("title", "The {adjective} {noun}"),
        ref("author_id", "authors"),
        choice("genre", "novel", "crime", "history", "poetry", "science"),
        integer("publication_year", 1950, 2024),
        integer("pages", 60, 900, true),
        sometimes(0.25, real("rating", 1, 5, 1)),
      ],
    ),
    table(
      "copy",
      [300, 420],
      [
        ref("book_id", "books", 0.1),
        ref("branch_id", "branches"),
        date("purchase_date", "2010-01-01", "2024-06-30"),
        real("price", 5, 80),
        choice("condition", "good", "worn", "damaged"),
      ],
      "copies",
    ),
    table(
      "member",
      [100, 150],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        ref("branch_id", "branches"),
        date("join_date", "2012-01-01", "2024-06-30"),
        choice("membership", "adult", "child", "senior"),
        sometimes(0.3, text("phone", "0{digits}-{digits}")),
      ],
    ),
    table(
      "loan",
      [600, 900],
      [
        ref("copy_id", "copies", 0.2),
        ref("member_id", "members", 0.15),
        date("loan_date", "2022-01-01", "2024-12-31"),
        sometimes(0.2, date("return_date", "2022-01-10", "2025-01-31")),
        sometimes(0.5, real("fine", 0.5, 25)),
      ],
    ),
  ],
};

export const music: Schema = {
  name: "music",
  about: "A store that sells music: its artists, albums, tracks, playlists, customers and invoices.",
  tables: [
    table(
      "artist",
      [50, 70],
      [
        text("name", "The {adjective} {noun}s"),
        text("country", "{country}"),
        sometimes(0.2, integer("founding_year", 1965, 2018)),
      ],
    ),
    table(
      "album",
      [110, 150],
      [
        text("title", "{adjective} {noun}"),
        ref("artist_id", "artists"),
        date("release_date", "1980-01-01", "2024-09-30"),
        choice("format", "digital", "vinyl", "disc"),
        sometimes(0.2, choice("label", "Northlight", "Blue Door", "Tidewater")),
      ],
    ),
    table("genre", [8, 8], [text("name", "{adjective} {noun} Music")]),
    table(
      "track",
      [500, 700],
      [
        text("title", "{noun} of the {noun}"),
        ref("album_id", "albums"),
        ref("genre_id", "genres"),
        integer("seconds", 95, 620),
        real("price", 0.5, 2.5),
        sometimes(0.5, text("composer", "{first} {last}")),
      ],
    ),
    table(
      "customer",
      [70, 110],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        text("country", "{country}"),
        sometimes(0.4, text("company", "{last} {trade}")),
      ],
    ),
    table(
      "invoice",
      [250, 350],
      [
        ref("customer_id", "customers", 0.15),
        date("invoice_date", "2021-01-01", "2024-12-31"),
        choice("payment", "card", "transfer", "voucher"),
      ],
    ),
    table(
      "invoice line",
      [700, 900],
      [
        ref("invoice_id", "invoices", 0.05),
        ref("track_id", "tracks", 0.3),
        integer("quantity", 1, 5, true),
        sometimes(0.5, real("discount", 0.1, 1.2)),
      ],
    ),
    table(
      "playlist",
      [15, 25],
      [text("name", "{adjective} {noun} Mix"), date("creation_date", "2019-01-01", "2024-12-31")],
    ),
    table(
      "playlist entry",
      [250, 350],
      [ref("playlist_id", "playlists"), ref("track_id", "tracks", 0.4), integer("position", 1, 40)],
      "playlist entries",
    ),
  ],
};

export const football: Schema = {
  name: "football",
  about: "A football league: its stadiums, teams, players, matches, goals and cards.",
  tables: [
    table(
      "stadium",
      [14, 20],
      [
        text("name", "{street} Road Ground"),
        text("city", "{city}"),
        integer("capacity", 4000, 62000),
        integer("opening_year", 1901, 2021),
      ],
    ),
    table(
      "team",
      [16, 20],
      [
        text("name", "{city} {team}"),
        ref("stadium_id", "stadiums"),
        integer("founding_year", 1880, 1995),
        sometimes(0.2, real("budget", 2, 180, 1)),
      ],
    ),
    table(
      "player",
      [260, 340],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        ref("team_id", "teams"),
        choice("role", "midfielder", "defender", "forward", "goalkeeper"),
        date("birth_date", "1985-01-01", "2007-06-30"),
        sometimes(0.2, integer("height", 163, 203)),
        text("nationality", "{country}"),
      ],
    ),
    table(
      "match",
      [240, 320],
      [
        ref("home_team_id", "teams"),
        ref("away_team_id", "teams"),
        date("match_date", "2021-08-01", "2024-05-31"),
        integer("home_goals", 0, 6, true),
        integer("away_goals", 0, 5, true),
        sometimes(0.2, integer("attendance", 1200, 61000)),
      ],
      "matches",
    ),
    table(
      "goal",
      [500, 700],
      [
        ref("match_id", "matches", 0.1),
        ref("player_id", "players", 0.4),
        integer("minute", 1, 94),
        sometimes(0.6, choice("detail", "header", "penalty", "free kick")),
      ],
    ),
    table(
      "card",
      [300, 420],
      [
        ref("match_id", "matches", 0.1),
        ref("player_id", "players", 0.3),
        integer("minute", 1, 94),
        choice("colour", "yellow", "red"),
      ],
    ),
  ],
};
