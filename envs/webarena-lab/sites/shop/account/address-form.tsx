/** The fields of the address form, and a function that reads the fields. */
import type { FC } from "hono/jsx";
import { country, towns } from "../../../seed/region.js";
import type { Place } from "../records.js";

export const regions = [...new Set(towns.map(({ district }) => district))].sort();

const fields = [
  ["firstname", "First Name"],
  ["lastname", "Last Name"],
  ["company", "Company"],
  ["telephone", "Phone Number"],
  ["street[0]", "Street Address: Line 1"],
  ["street[1]", "Street Address: Line 2"],
  ["city", "City"],
] as const;

/** @param place initial values of the fields */
export const AddressFields: FC<{ place: Partial<Place> }> = ({ place }) => {
  const values: Readonly<Record<string, string | undefined>> = {
    firstname: place.firstName,
    lastname: place.lastName,
    company: place.company,
    telephone: place.telephone,
    "street[0]": place.street?.[0],
    "street[1]": place.street?.[1],
    city: place.city,
  };
  return (
    <>
      {fields.map(([name, label]) => (
        <p>
          <label for={name}>{label}</label>
          <input id={name} name={name} value={values[name] ?? ""} />
        </p>
      ))}
      <p>
        <label for="region">State/Province</label>
        <select id="region" name="region">
          <option value="">Please select a region, state or province.</option>
          {regions.map((region) => (
            <option value={region} selected={region === place.region}>
              {region}
            </option>
          ))}
        </select>
      </p>
      <p>
        <label for="postcode">Zip/Postal Code</label>
        <input id="postcode" name="postcode" value={place.postcode ?? ""} />
      </p>
      <p>
        <label for="country">Country</label>
        <select id="country" name="country">
          <option>{country}</option>
        </select>
      </p>
    </>
  );
};

/** Reads the address. Returns the labels of missing fields if the address is incomplete. */
export function readPlace(form: Readonly<Record<string, string>>): Place | string[] {
  const { firstname = "", lastname = "", company = "", telephone = "", city = "", region = "", postcode = "" } = form;
  const line = form["street[0]"] ?? "";
  const second = form["street[1]"] ?? "";
  const required = {
    "First Name": firstname,
    "Last Name": lastname,
    "Phone Number": telephone,
    "Street Address": line,
    City: city,
    "State/Province": regions.includes(region) ? region : "",
    "Zip/Postal Code": postcode,
  };
  const missing = Object.entries(required).flatMap(([label, value]) => (value === "" ? [label] : []));
  if (missing.length > 0) return missing;
  const street = second === "" ? [line] : [line, second];
  return { firstName: firstname, lastName: lastname, company, street, city, region, postcode, country, telephone };
}

export function lacks(missing: readonly string[]): string {
  return `${missing.join(", ")}: ${missing.length === 1 ? "this is a required field." : "these are required fields."}`;
}
