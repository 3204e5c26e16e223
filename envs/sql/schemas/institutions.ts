/** Schemas about an airline, a hospital and a university. */
import { choice, date, integer, real, ref, type Schema, sometimes, table, text } from "./schema.js";

export const airline: Schema = {
  name: "airline",
  about: "An airline: airports, aircraft, routes, flights, passengers, bookings and crew.",
  tables: [
    table(
      "airport",
      [18, 26],
      [
        text("code", "{letter}{letter}{letter}"),
        text("city", "{city}"),
        text("country", "{country}"),
        integer("runways", 1, 5, true),
      ],
    ),
    table(
      "aircraft",
      [20, 30],
      [
        text("model", "{plane}"),
        integer("seats", 70, 320),
        date("delivery_date", "2005-01-01", "2023-12-31"),
        sometimes(0.2, integer("range", 1500, 12000)),
      ],
      "aircraft",
    ),
    table(
      "route",
      [50, 70],
      [
        ref("origin_id", "airports"),
        ref("destination_id", "airports"),
        integer("distance", 180, 9200),
        integer("minutes", 45, 720),
      ],
    ),
    table(
      "flight",
      [350, 450],
      [
        ref("route_id", "routes"),
        ref("aircraft_id", "aircraft"),
        date("departure_date", "2023-01-01", "2024-12-31"),
        choice("status", "landed", "delayed", "cancelled", "diverted"),
        sometimes(0.3, integer("delay", 1, 240, true)),
      ],
    ),
    table(
      "passenger",
      [150, 200],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        text("nationality", "{country}"),
        date("birth_date", "1940-01-01", "2015-12-31"),
        sometimes(0.4, choice("loyalty", "bronze", "silver", "gold")),
      ],
    ),
    table(
      "booking",
      [700, 950],
      [
        ref("flight_id", "flights", 0.1),
        ref("passenger_id", "passengers", 0.1),
        choice("cabin", "economy", "business", "first"),
        real("fare", 29, 1900),
        integer("bags", 0, 4, true),
        sometimes(0.3, text("seat", "{letter}-{digits}")),
      ],
    ),
    table(
      "pilot",
      [35, 50],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        ref("base_id", "airports", 0.3),
        date("hire_date", "2001-01-01", "2024-06-30"),
        integer("flight_hours", 400, 16000),
      ],
    ),
    table(
      "duty",
      [500, 650],
      [
        ref("flight_id", "flights", 0.1),
        ref("pilot_id", "pilots", 0.1),
        choice("seat", "captain", "co-pilot"),
        real("hours", 1, 14, 1),
      ],
      "duties",
    ),
  ],
};

export const hospital: Schema = {
  name: "hospital",
  about: "A hospital: its departments, doctors, patients, appointments, diagnoses and prescriptions.",
  tables: [
    table("department", [8, 12], [text("name", "{last} Ward"), integer("floor", 0, 7), integer("beds", 8, 60)]),
    table(
      "doctor",
      [35, 50],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        ref("department_id", "departments"),
        date("hire_date", "1998-01-01", "2024-06-30"),
        integer("salary", 58000, 165000),
        sometimes(0.2, text("pager", "{digits}")),
      ],
    ),
    table(
      "patient",
      [150, 220],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        date("birth_date", "1935-01-01", "2022-12-31"),
        text("city", "{city}"),
        choice("insurance", "public", "private", "none"),
        sometimes(0.25, choice("blood_group", "0", "A", "B", "AB")),
        sometimes(0.2, real("weight", 12, 130, 1)),
      ],
    ),
    table(
      "appointment",
      [500, 700],
      [
        ref("patient_id", "patients", 0.12),
        ref("doctor_id", "doctors", 0.1),
        date("appointment_date", "2022-01-01", "2024-12-31"),
        choice("status", "done", "cancelled", "missed"),
        integer("minutes", 10, 90, true),
        sometimes(0.15, real("fee", 20, 480)),
      ],
    ),
    table(
      "diagnosis",
      [350, 450],
      [
        ref("appointment_id", "appointments", 0.3),
        text("illness", "{illness}"),
        choice("severity", "mild", "moderate", "severe"),
      ],
      "diagnoses",
    ),
    table(
      "medicine",
      [25, 35],
      [text("name", "{drug} {digits}"), real("price", 2, 190), sometimes(0.2, integer("stock", 0, 400))],
    ),
    table(
      "prescription",
      [400, 550],
      [
        ref("appointment_id", "appointments", 0.3),
        ref("medicine_id", "medicines", 0.15),
        integer("days", 3, 60, true),
        sometimes(0.2, integer("daily_dose", 1, 6)),
      ],
    ),
    table(
      "stay",
      [120, 180],
      [
        ref("patient_id", "patients", 0.4),
        ref("department_id", "departments"),
        date("admission_date", "2022-01-01", "2024-11-30"),
        sometimes(0.15, date("discharge_date", "2022-01-04", "2024-12-31")),
        real("cost", 300, 24000),
      ],
    ),
  ],
};

export const university: Schema = {
  name: "university",
  about: "A university: its faculties, lecturers, students, courses, enrolments and scholarships.",
  tables: [
    table(
      "faculty",
      [5, 8],
      [text("name", "Faculty of {subject}"), integer("founding_year", 1850, 2005), real("budget", 1, 60, 1)],
      "faculties",
    ),
    table(
      "lecturer",
      [40, 60],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        ref("faculty_id", "faculties"),
        choice("title", "lecturer", "professor", "assistant"),
        integer("salary", 38000, 118000),
        date("hire_date", "1995-01-01", "2024-06-30"),
        sometimes(0.3, text("office", "{letter}{digits}")),
      ],
    ),
    table(
      "student",
      [160, 240],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        ref("faculty_id", "faculties"),
        date("birth_date", "1994-01-01", "2006-12-31"),
        integer("entry_year", 2017, 2024),
        text("country", "{country}"),
        sometimes(0.3, ref("advisor_id", "lecturers", 0.3)),
      ],
    ),
    table(
      "course",
      [60, 80],
      [
        text("name", "{level} {subject}"),
        ref("faculty_id", "faculties"),
        ref("lecturer_id", "lecturers", 0.25),
        integer("credits", 2, 12),
        sometimes(0.3, integer("capacity", 12, 240)),
      ],
    ),
    table(
      "enrolment",
      [800, 1100],
      [
        ref("student_id", "students", 0.08),
        ref("course_id", "courses", 0.08),
        date("enrolment_date", "2020-09-01", "2024-10-15"),
        sometimes(0.25, integer("points", 0, 100)),
        choice("attendance", "regular", "guest", "remote"),
      ],
    ),
    table(
      "scholarship",
      [70, 110],
      [
        ref("student_id", "students", 0.6),
        text("name", "{last} Scholarship"),
        real("amount", 400, 12000),
        date("start_date", "2020-01-01", "2024-09-30"),
        sometimes(0.3, date("end_date", "2021-01-01", "2027-09-30")),
      ],
    ),
  ],
};
