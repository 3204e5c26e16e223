#pragma once
#include <type_traits>

namespace palestra::abi {

/** The type of NVIDIA's headers that stands where one of ours does. */
template <class Ours>
struct TheirsOf {
  using type = Ours;
};
template <class Ours>
using theirs_of = typename TheirsOf<Ours>::type;

template <class Ours>
struct TheirsOf<Ours*> {
  using type = theirs_of<Ours>*;
};
template <class Ours>
struct TheirsOf<const Ours> {
  using type = const theirs_of<Ours>;
};
template <class Result, class... Parameters>
struct TheirsOf<Result(Parameters...)> {
  using type = theirs_of<Result>(theirs_of<Parameters>...);
};

}  // namespace palestra::abi
