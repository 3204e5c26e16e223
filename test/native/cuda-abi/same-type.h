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

/** Inside palestra::abi: one of our types stands for theirs of that name, and is as large. */
#define SAME_TYPE(name)         \
  template <>                   \
  struct TheirsOf<cuda::name> { \
    using type = ::name;        \
  };                            \
  static_assert(sizeof(cuda::name) == sizeof(::name));

/** A constant of ours is theirs. */
#define SAME_VALUE(name) static_assert(static_cast<long>(cuda::name) == static_cast<long>(::name), #name);

}  // namespace palestra::abi
